/// A real PostgreSQL for tests, from binaries that Maven brings; nothing has to be installed. Start
/// at [PostgresServer].
@org.jspecify.annotations.NullMarked
package dev.superstep.test.postgres;
