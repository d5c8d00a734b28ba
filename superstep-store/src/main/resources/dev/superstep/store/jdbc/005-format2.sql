-- The tables of format 2. Rows that older programs wrote stay as they are and are read as they were written.

-- What graphs inside remember, as JSON; null if none does. In format 1 it was not named.
alter table checkpoint add column memories text;
-- What the ids of tasks begin with; null in rows of format 1, where that is the id of the checkpoint.
alter table checkpoint add column generation text;

-- Where references are many, `channels` of a checkpoint is an object: they are the first `length` items of `log`, of
-- which the first has all of them and each further one those that changed. `all` and `since` say how many.

-- Large values. Where one was said stands a string `blob1:` and its digest, the SHA-256 of its JSON in UTF-8: in `value`,
-- `log_item`, `step`, `answer`, and inside of `task` and `checkpoint`. See docs/decisions/0056.
create table blob (
  id integer primary key,
  digest text not null,
  family integer not null,
  json text not null,
  unique (digest, family)
) strict;

create index blob_family on blob (family);
