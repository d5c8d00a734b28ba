-- Who does not know this must not read what was written since.
comment on column checkpoint.channels is
  'Of a length of -3, the value is small and stands in the place itself, as a string that holds its JSON.';
