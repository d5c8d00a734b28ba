create table if not exists lookup (number int);
create table if not exists shipment (number int primary key);
create table if not exists refund (number int primary key);
