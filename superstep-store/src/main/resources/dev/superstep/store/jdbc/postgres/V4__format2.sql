-- The tables of format 2; what they are for is said in the script for SQLite, 005-format2.sql.
alter table checkpoint add column memories text;
alter table checkpoint add column generation text;

create table blob (
  digest text not null,
  family bigint not null,
  json text not null,
  primary key (digest, family)
);

create index blob_family on blob (family);
