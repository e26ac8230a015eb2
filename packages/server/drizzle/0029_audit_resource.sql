-- What happened to one resource is a list of its own. Most refused creates name none, and are not looked up by it.
CREATE INDEX audit_events_by_resource ON audit_events (resource_id, at) WHERE resource_id IS NOT NULL;
