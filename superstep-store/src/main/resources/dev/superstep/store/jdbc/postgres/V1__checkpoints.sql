-- What the tables are for is said in the script for SQLite, 001-checkpoints.sql. Here, numbers that were given
-- and then rolled back are gaps, and JSON is text because it must come back as it was.

create sequence lease_token;

create table family (
  id bigint generated always as identity primary key
);

create table thread (
  id bigint generated always as identity primary key,
  name text not null unique,
  family bigint not null,
  token bigint not null,
  owner text not null,
  until bigint not null,
  cancelled integer not null,
  last_offset bigint not null
);

create index thread_family on thread (family);

create table lineage (
  id bigint generated always as identity primary key,
  thread bigint not null references thread (id),
  namespace text not null,
  head bigint,
  unique (thread, namespace)
);

create index lineage_newest on lineage (head) where namespace = '';

create table graph (
  id bigint generated always as identity primary key,
  name text not null,
  hash text not null,
  topology text,
  unique (name, hash)
);

create table channel (
  id bigint generated always as identity primary key,
  name text not null unique
);

create table run (
  id bigint generated always as identity primary key,
  thread bigint not null references thread (id),
  name text not null,
  unique (thread, name)
);

create table checkpoint (
  seq bigint generated always as identity primary key,
  lineage bigint not null references lineage (id),
  id text not null,
  parent text,
  step integer not null,
  source text not null,
  format integer not null,
  graph bigint not null,
  run bigint not null,
  at text not null,
  taken_over text,
  body text not null,
  channels text not null,
  unique (lineage, id)
);

create index checkpoint_order on checkpoint (lineage, seq);

create table rewind (
  lineage bigint not null references lineage (id),
  seq bigint not null,
  head bigint not null,
  primary key (lineage, seq)
);

create table value (
  id bigint generated always as identity primary key,
  family bigint not null,
  channel bigint not null,
  json text not null
);

create index value_family on value (family);

create table log (
  id bigint generated always as identity primary key,
  family bigint not null,
  lineage bigint not null,
  base bigint,
  base_length integer not null
);

create index log_family on log (family);

create table log_item (
  log bigint not null references log (id),
  idx integer not null,
  json text not null,
  primary key (log, idx)
);

create table task (
  id bigint generated always as identity primary key,
  lineage bigint not null references lineage (id),
  checkpoint text not null,
  task text not null,
  node text not null,
  finished integer not null,
  "end" text not null,
  unique (lineage, checkpoint, task)
);

create table step (
  id bigint generated always as identity primary key,
  lineage bigint not null references lineage (id),
  checkpoint text not null,
  task text not null,
  key text not null,
  json text not null,
  unique (lineage, checkpoint, task, key)
);

create table answer (
  id bigint generated always as identity primary key,
  lineage bigint not null references lineage (id),
  checkpoint text not null,
  interrupt text not null,
  json text not null,
  unique (lineage, checkpoint, interrupt)
);

-- The offset is given by the row of the thread, not by a sequence: see EntryRows.
create table entry (
  thread bigint not null references thread (id),
  "offset" bigint not null,
  at text not null,
  run text not null,
  graph text not null,
  path text not null,
  node text not null,
  kind text not null,
  json text not null,
  primary key (thread, "offset")
);
