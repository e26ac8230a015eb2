-- Rows of one millisecond are listed in the order of the chain. An index ends in the row's number by itself.
DROP INDEX audit_events_by_time;
DROP INDEX audit_events_by_actor;
DROP INDEX audit_events_by_operation;
DROP INDEX audit_events_by_result;
CREATE INDEX audit_events_by_time ON audit_events (at);
CREATE INDEX audit_events_by_actor ON audit_events (actor_id, at);
CREATE INDEX audit_events_by_operation ON audit_events (operation, at);
CREATE INDEX audit_events_by_result ON audit_events (result, at);
