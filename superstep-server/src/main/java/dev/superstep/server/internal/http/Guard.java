package dev.superstep.server.internal.http;

import dev.superstep.server.log.AuditLog;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.Authorizer;
import dev.superstep.server.security.Authorizer.Decision;
import java.time.Instant;

/// Asks whether a request may do what it wants, before each action of a resource, and writes the
/// answer down. Safe for many threads.
///
/// ```java
/// var granted = guard.check(call, new Access(THREADS, CREATE, body));
/// thread.set("metadata", granted.mark(metadata));
/// ```
public final class Guard {
  private final Authorizer authorizer;
  private final AuditLog log;

  public Guard(Authorizer authorizer, AuditLog log) {
    this.authorizer = authorizer;
    this.log = log;
  }

  /// Asks for one action.
  ///
  /// @throws HttpFailure 403 if it is denied
  public Granted check(Call call, Access access) {
    var decision = authorizer.decide(call.principal(), access);
    var entry =
        new AuditLog.Entry(
            call.id(),
            Instant.now(),
            call.principal().id(),
            call.address(),
            access.name(),
            call.path(),
            decision instanceof Decision.Allowed);
    log.add(entry);
    return switch (decision) {
      case Decision.Allowed(var metadata, var within) -> Granted.of(metadata, within);
      case Decision.Denied(var why) -> throw new HttpFailure(403, why);
    };
  }
}
