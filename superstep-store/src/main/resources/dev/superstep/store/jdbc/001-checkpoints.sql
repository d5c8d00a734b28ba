-- Nothing here is ever changed after it was written, but for a task that has not finished.

create table lineage (
  id integer primary key,
  thread text not null,
  namespace text not null,
  unique (thread, namespace)
) strict;

create table graph (
  id integer primary key,
  name text not null,
  hash text not null,
  unique (name, hash)
) strict;

create table channel (
  id integer primary key,
  name text not null unique
) strict;

-- `channels` refers to the values: a JSON array with four numbers a channel (channel, version, place, length).
-- A length of -1 says that place is a row of `value`; any other, that the value is the first so many items of
-- the log `place`.
create table checkpoint (
  seq integer primary key,
  lineage integer not null references lineage (id),
  id text not null,
  parent integer references checkpoint (seq),
  step integer not null,
  source text not null,
  format integer not null,
  graph integer not null references graph (id),
  body text not null,
  channels text not null,
  unique (lineage, id)
) strict;

-- Ends with seq, as every index ends with the row's key: finds the newest.
create index checkpoint_newest on checkpoint (lineage);

create table value (
  id integer primary key,
  lineage integer not null references lineage (id),
  json text not null
) strict;

-- A log holds the items from `base_length` on; those before are in the log `base`.
create table log (
  id integer primary key,
  lineage integer not null references lineage (id),
  base integer references log (id),
  base_length integer not null
) strict;

-- Not "without rowid": such tables spill rows of a quarter page and more into pages of their own.
create table log_item (
  log integer not null references log (id),
  idx integer not null,
  json text not null,
  primary key (log, idx)
) strict;

create table task (
  id integer primary key,
  lineage integer not null references lineage (id),
  checkpoint text not null,
  task text not null,
  node text not null,
  finished integer not null,
  "end" text not null,
  unique (lineage, checkpoint, task)
) strict;

create table answer (
  id integer primary key,
  lineage integer not null references lineage (id),
  checkpoint text not null,
  interrupt text not null,
  json text not null,
  unique (lineage, checkpoint, interrupt)
) strict;
