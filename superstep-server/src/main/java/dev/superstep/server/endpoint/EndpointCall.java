package dev.superstep.server.endpoint;

import dev.superstep.json.Json;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.Principal;
import java.util.Optional;

/// A request to an [Endpoint], after the checks of its server. For the thread of the request.
public interface EndpointCall {
  /// `GET`, `POST` or `DELETE`.
  String method();

  /// A header, whatever the case of its name.
  Optional<String> header(String name);

  /// The body, or empty if there is none. A client that sends no JSON, or too much of it, gets a
  /// refusal.
  Optional<Json> body();

  /// Who sent it.
  Principal principal();

  /// Asks the authorizer of the server, and writes its answer into the audit log.
  ///
  /// @throws EndpointRefused 403 if it is denied
  void check(Access access);
}
