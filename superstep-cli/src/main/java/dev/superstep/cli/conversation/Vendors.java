package dev.superstep.cli.conversation;

import dev.superstep.cli.model.ModelChoice;
import dev.superstep.model.ModelRef;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.Set;

/// Who gets the texts that a model is asked, as people agree to it.
final class Vendors {
  private static final Set<String> HERE = Set.of("local", "scripted", "recorded");
  private static final Set<String> BY_HOST = Set.of("ollama", "openai-compatible");

  private Vendors() {}

  /// The vendor of a model; empty for a model of this machine. Where anybody may run the server,
  /// each server is a vendor of its own.
  static Optional<String> of(ModelRef ref) {
    if (HERE.contains(ref.provider())) return Optional.empty();
    if (!BY_HOST.contains(ref.provider())) return Optional.of(ref.provider());
    if (!ModelChoice.isElsewhere(ref)) return Optional.empty();
    return Optional.of(ref.provider() + " at " + server(ref));
  }

  private static String server(ModelRef ref) {
    var url = ref.provider().equals("ollama") ? "http://" + ref.model() : ref.model();
    try {
      var uri = new URI(url);
      if (uri.getHost() == null) return url;
      return uri.getPort() < 0 ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
    } catch (URISyntaxException _) {
      return url;
    }
  }
}
