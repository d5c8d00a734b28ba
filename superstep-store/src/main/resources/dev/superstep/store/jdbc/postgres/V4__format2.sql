-- The tables of format 2; what they are for is said in the script for SQLite, 005-format2.sql.
alter table lineage add column digest bigint;
alter table channel add column digest bigint;
alter table checkpoint add column digest bigint, add column channels_digest bigint;
alter table value add column digest bigint;
alter table log add column digest bigint;
alter table log_item add column digest bigint;
alter table task add column digest bigint;
alter table step add column digest bigint;
alter table answer add column digest bigint;
alter table entry add column digest bigint;
alter table thread add column process text;
alter table checkpoint add column memories text;
alter table thread add column binding text;
alter table checkpoint add column generation text;

create table blob (
  digest text not null,
  family bigint not null,
  json text not null,
  primary key (digest, family)
);

create index blob_family on blob (family);
