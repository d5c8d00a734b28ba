package dev.superstep.server.internal.http;

import dev.superstep.server.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A request, as the resources see it. For the thread of the request.
public interface Call {
  /// The id of the request, which the logs have, too.
  String id();

  /// `GET`, `POST` and so on.
  String method();

  /// The path, as the client wrote it.
  String path();

  /// A part of the path by the name that its route gives it: `thread` of `/threads/{thread}`.
  String part(String name);

  /// The first value of a parameter of the query.
  Optional<String> query(String name);

  /// All values of a parameter of the query.
  List<String> queries(String name);

  /// A header, whatever the case of its name.
  Optional<String> header(String name);

  /// The body, which is read once; a missing node if it is empty.
  ///
  /// @throws HttpFailure 400 if it is no JSON, 413 if it is too large
  JsonNode body();

  /// The address of the client.
  String address();

  /// Who sent the request.
  Principal principal();

  /// Texts that are saved with the runs that the request begins, for who listens to the server.
  default Map<String, String> carried() {
    return Map.of();
  }
}
