-- So that triggers that are switched off are found among many that are not.
CREATE INDEX triggers_by_switch ON triggers (enabled, created_at, id);
