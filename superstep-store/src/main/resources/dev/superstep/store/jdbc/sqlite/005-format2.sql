-- The tables of format 2. Rows that older programs wrote stay as they are and are read as they were written.

-- A digest is of what a row holds and of its place, by which it is known: docs/decisions/0060. Null says that the row
-- was written by format 1. That of a lineage is of its newest checkpoint.
alter table lineage add column digest integer;
alter table channel add column digest integer;
alter table checkpoint add column digest integer;
alter table checkpoint add column channels_digest integer;
alter table value add column digest integer;
alter table log add column digest integer;
alter table log_item add column digest integer;
alter table task add column digest integer;
alter table step add column digest integer;
alter table answer add column digest integer;
alter table entry add column digest integer;

-- Which database this is, for the file beside it that says which of its commits is the newest. One row.
create table identity (
  number integer not null
) strict;

insert into identity (number) values (random());

-- Every commit is counted where the checkpoints are: docs/decisions/0061.
insert into sqlite_sequence (name, seq)
select 'checkpoint', 0 where not exists (select 1 from sqlite_sequence where name = 'checkpoint');

-- The process that holds the newest lease, if others on its machine can tell whether it is there.
alter table thread add column process text;
-- What graphs inside remember, as JSON; null if none does. In format 1 it was not named.
alter table checkpoint add column memories text;

-- What a checkpointer around the store keeps of a thread.
alter table thread add column binding text;

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
