-- What else may ask for a run: an external trigger, or the end of another run by way of a chain.
ALTER TABLE runs ADD COLUMN source_trigger_id TEXT;
ALTER TABLE runs ADD COLUMN source_chain_id TEXT;
ALTER TABLE runs ADD COLUMN source_task_id TEXT;
ALTER TABLE runs ADD COLUMN source_run_id TEXT;
-- One start a chain and ended run, whatever happens between.
CREATE UNIQUE INDEX runs_one_an_end ON runs (source_chain_id, source_run_id) WHERE source_chain_id IS NOT NULL;
