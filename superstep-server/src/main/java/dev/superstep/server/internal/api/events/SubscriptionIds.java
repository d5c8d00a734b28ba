package dev.superstep.server.internal.api.events;

import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.wire.stream.ProtocolFilter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Ids of subscriptions that hold what they are to, so that each process can restore them after a
/// connection was lost.
final class SubscriptionIds {
  private static final JsonMapper JSON = new JsonMapper();

  private SubscriptionIds() {}

  /// An id.
  ///
  /// @param number makes those of one connection different
  static String of(int number, ProtocolFilter filter) {
    var text = filter.json().toString().getBytes(StandardCharsets.UTF_8);
    return number + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(text);
  }

  /// The filter of an id, or empty if it is none of ours.
  static Optional<ProtocolFilter> filter(String id) {
    try {
      var text = Base64.getUrlDecoder().decode(id.substring(id.indexOf('.') + 1));
      return Optional.of(ProtocolFilter.read(Fields.of(JSON.readTree(text))));
    } catch (IllegalArgumentException | JacksonException | HttpFailure | StackOverflowError _) {
      return Optional.empty();
    }
  }
}
