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
