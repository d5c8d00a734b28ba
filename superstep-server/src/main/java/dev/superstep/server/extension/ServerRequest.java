package dev.superstep.server.extension;

import dev.superstep.json.Json;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.Principal;
import java.util.Optional;

/// A request to a route of an extension. For the thread of the request, apart from [#api].
public interface ServerRequest {
  /// The id of the request, which the logs have, too.
  String id();

  /// The method of HTTP, such as `POST`.
  String method();

  /// A part of the path by the name that its route gives it: `agent` of `/agents/{agent}`.
  String part(String name);

  /// The first value of a parameter of the query.
  Optional<String> query(String name);

  /// A header, whatever the case of its name.
  Optional<String> header(String name);

  /// The body as JSON; empty if there is none.
  ///
  /// @throws RequestRefused 400 if it is no JSON, 413 if it is too large or too deep
  Optional<Json> body();

  /// The sender.
  Principal principal();

  /// Asks the authorizer of the server whether the sender may do something, and writes the answer
  /// into the audit log.
  ///
  /// @throws RequestRefused 403 if it is denied
  void check(Access access);

  /// The API of the server with the rights of the sender; safe for many threads, also while the
  /// response is a stream.
  ///
  /// @throws IllegalStateException on an open route, whose senders are not known, and on an
  ///   [dev.superstep.server.ExtensionServer], which has no API
  ServerApi api();

  /// The webhooks for some runs of a thread. The sender must be one who may change the thread.
  ///
  /// @param topic the runs
  /// @throws RequestRefused 403 or 404 if the sender may not change the thread, or there is none
  /// @throws IllegalStateException where there is no [#api]
  Subscriptions subscriptions(String thread, RunTopic topic);
}
