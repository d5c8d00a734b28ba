-- The tables of format 2. Rows that older programs wrote stay as they are and are read as they were written.

-- What the ids of tasks begin with; null in rows of format 1, where that is the id of the checkpoint.
alter table checkpoint add column generation text;
