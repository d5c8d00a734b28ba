-- The tables of format 2. Rows that older programs wrote stay as they are and are read as they were written.

-- What graphs inside remember, as JSON; null if none does. In format 1 it was not named.
alter table checkpoint add column memories text;
