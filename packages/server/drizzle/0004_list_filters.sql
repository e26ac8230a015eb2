-- So that what is switched off is found among many that are not.
CREATE INDEX groups_by_switch ON groups (enabled, created_at, id);
CREATE INDEX tasks_by_switch ON tasks (enabled, created_at, id);
CREATE INDEX schedules_by_switch ON schedules (enabled, created_at, id);
