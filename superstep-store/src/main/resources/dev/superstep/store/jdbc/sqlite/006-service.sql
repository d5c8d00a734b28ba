-- What a service keeps beside its threads. Times are microseconds since 1970.
create table service_document (
  kind text not null,
  id text not null,
  parent text not null,
  label text not null,
  -- The label with the case of its letters folded.
  folded text not null,
  status text not null,
  due integer,
  created integer not null,
  updated integer not null,
  metadata text not null,
  body text not null,
  primary key (kind, id)
) strict;

create index service_document_parent on service_document (kind, parent, created);
create index service_document_due on service_document (kind, status, due);
create index service_document_created on service_document (kind, created, id);
create index service_document_label on service_document (kind, label);

-- A log, with the number of its last entry. Who adds to it changes this row first, so that numbers become visible in
-- their order.
create table service_log (
  id integer primary key,
  name text not null unique,
  last integer not null
) strict;

create table service_log_entry (
  log integer not null,
  number integer not null,
  value text not null,
  primary key (log, number)
) strict, without rowid;

-- The last signals, for other processes, which look here again and again.
create table service_signal (
  number integer primary key,
  topic text not null,
  source text not null
) strict;
