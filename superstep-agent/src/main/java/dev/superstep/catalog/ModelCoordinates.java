package dev.superstep.catalog;

import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;

/// Where in a catalogue a model is to be found: a provider and the model's name there. Immutable.
record ModelCoordinates(String provider, String model) {
  private static final Pattern VERSION = Pattern.compile("/v\\d\\w*/");

  /// @param provider a provider of the catalogue or the scheme of a `ModelRef`
  /// @param model for `openai-compatible` and `ollama`, with the server
  static ModelCoordinates of(List<CatalogProvider> providers, String provider, String model) {
    return switch (provider) {
      case "ollama" -> new ModelCoordinates(provider, model.substring(model.indexOf('/') + 1));
      case "openai-compatible" -> compatible(providers, model);
      default -> new ModelCoordinates(provider, model);
    };
  }

  private static ModelCoordinates compatible(List<CatalogProvider> providers, String url) {
    var host = host(url);
    for (var provider : providers) {
      for (var domain : provider.hosts()) {
        if (host.equals(domain) || host.endsWith("." + domain)) {
          return new ModelCoordinates(provider.id(), model(url));
        }
      }
    }
    return new ModelCoordinates("openai-compatible", url);
  }

  private static String host(String url) {
    try {
      var host = URI.create(url).getHost();
      return host == null ? "" : host;
    } catch (IllegalArgumentException _) {
      return "";
    }
  }

  /// The model may hold slashes, so what ends the server is the version, as in `…/v1/org/model`.
  private static String model(String url) {
    var version = VERSION.matcher(url);
    return url.substring(version.find() ? version.end() : url.lastIndexOf('/') + 1);
  }
}
