#!/bin/sh
# Loads the files that a watcher has found.
xargs -0 -a "$BELFRY_FILES_FILE" wc -l
