-- What the tables are for is said in the script for SQLite, 006-service.sql. Signals are notifications here.

create table service_document (
  kind text collate "C" not null,
  id text collate "C" not null,
  parent text collate "C" not null,
  label text collate "C" not null,
  folded text collate "C" not null,
  status text collate "C" not null,
  due bigint,
  created bigint not null,
  updated bigint not null,
  metadata text not null,
  -- The metadata as jsonb can hold it, to search in.
  facts jsonb not null,
  body text not null,
  primary key (kind, id)
);

create index service_document_parent on service_document (kind, parent, created);
create index service_document_due on service_document (kind, status, due);
create index service_document_created on service_document (kind, created, id);
create index service_document_label on service_document (kind, label);
create index service_document_facts on service_document using gin (facts jsonb_path_ops);

create table service_log (
  id bigint generated always as identity primary key,
  name text collate "C" not null unique,
  last bigint not null
);

create table service_log_entry (
  log bigint not null,
  number bigint not null,
  value text not null,
  primary key (log, number)
);

-- Ends a transaction that writes a document which another one has changed since it was read. It is then run again.
create function service_unchanged(written bigint) returns bigint language plpgsql as $$
begin
  if written = 0 then
    raise exception 'another transaction has changed the document' using errcode = 'serialization_failure';
  end if;
  return written;
end
$$;
