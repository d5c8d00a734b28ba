-- Where the tokens of leases come from. Never reset, so that none is given twice. One row.
create table token (
  last integer not null
) strict;

insert into token (last) values (0);

-- Threads that may share values, because one was made from another. See docs/decisions/0030.
create table family (
  id integer primary key
) strict;

-- `until` is in microseconds since 1970; what is past is nobody's. `last_offset` is that of the journal.
create table thread (
  id integer primary key,
  name text not null unique,
  family integer not null,
  token integer not null,
  owner text not null,
  until integer not null,
  cancelled integer not null,
  last_offset integer not null
) strict;

create index thread_family on thread (family);

-- The graph of a thread, whose namespace is empty, and those inside of it. `head` is the newest checkpoint.
create table lineage (
  id integer primary key,
  thread integer not null references thread (id),
  namespace text not null,
  head integer,
  unique (thread, namespace)
) strict;

-- Lists the threads, the one written last first.
create index lineage_newest on lineage (head) where namespace = '';

-- `topology` is the shape as JSON, if it was told.
create table graph (
  id integer primary key,
  name text not null,
  hash text not null,
  topology text,
  unique (name, hash)
) strict;

create table channel (
  id integer primary key,
  name text not null unique
) strict;

-- The runs that made checkpoints of a thread.
create table run (
  id integer primary key,
  thread integer not null references thread (id),
  name text not null,
  unique (thread, name)
) strict;

-- Never changed after it was written. No place in the order is given twice. `channels` refers to the values: a JSON array with four numbers a
-- channel (channel, version, place, length). A length of -1 says that place is a row of `value`; -2 that the
-- channel was cleared; any other, that the value is the first so many items of the log `place`. `taken_over`
-- holds the ids of tasks that ran from another checkpoint before, as a JSON array, if there are any.
create table checkpoint (
  seq integer primary key autoincrement,
  lineage integer not null references lineage (id),
  id text not null,
  parent text,
  step integer not null,
  source text not null,
  format integer not null,
  graph integer not null,
  run integer not null,
  at text not null,
  taken_over text,
  body text not null,
  channels text not null,
  unique (lineage, id)
) strict;

-- Ends with seq, as every index ends with the row's key.
create index checkpoint_order on checkpoint (lineage);

-- When the checkpoint `seq` was made from an older one, `head` became the newest of this lineage again.
create table rewind (
  lineage integer not null references lineage (id),
  seq integer not null,
  head integer not null,
  primary key (lineage, seq)
) strict;

create table value (
  id integer primary key,
  family integer not null,
  channel integer not null,
  json text not null
) strict;

create index value_family on value (family);

-- A log holds the items from `base_length` on; those before are in the log `base`. Only the lineage that
-- began it adds to it.
create table log (
  id integer primary key,
  family integer not null,
  lineage integer not null,
  base integer,
  base_length integer not null
) strict;

create index log_family on log (family);

-- Not "without rowid": such tables spill rows of a quarter page and more into pages of their own.
create table log_item (
  log integer not null references log (id),
  idx integer not null,
  json text not null,
  primary key (log, idx)
) strict;

-- Replaced until it finished.
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

-- The results of side effects inside tasks.
create table step (
  id integer primary key,
  lineage integer not null references lineage (id),
  checkpoint text not null,
  task text not null,
  key text not null,
  json text not null,
  unique (lineage, checkpoint, task, key)
) strict;

create table answer (
  id integer primary key,
  lineage integer not null references lineage (id),
  checkpoint text not null,
  interrupt text not null,
  json text not null,
  unique (lineage, checkpoint, interrupt)
) strict;

-- The journal of a thread. `path` is a JSON array.
create table entry (
  thread integer not null references thread (id),
  "offset" integer not null,
  at text not null,
  run text not null,
  graph text not null,
  path text not null,
  node text not null,
  kind text not null,
  json text not null,
  primary key (thread, "offset")
) strict;
