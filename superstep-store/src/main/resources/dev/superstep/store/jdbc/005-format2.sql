-- The tables of format 2. Rows that older programs wrote stay as they are and are read as they were written.

-- What graphs inside remember, as JSON; null if none does. In format 1 it was not named.
alter table checkpoint add column memories text;

-- What a checkpointer around the store keeps of a thread.
alter table thread add column binding text;

-- What the ids of tasks begin with; null in rows of format 1, where that is the id of the checkpoint.
alter table checkpoint add column generation text;

-- Where references are many, `channels` of a checkpoint is an object: they are the first `length` items of `log`, of
-- which the first has all of them and each further one those that changed. `all` and `since` say how many.
