package dev.superstep.mcp.oauth;

import java.util.Locale;
import java.util.regex.Pattern;

/// The words of a server in `WWW-Authenticate` when it refuses a request.
///
/// @param metadata the address of its metadata; may be empty
/// @param scope that it wants; may be empty
/// @param error may be empty
record Challenge(String metadata, String scope, String error) {
  private static final Pattern PARAMETER =
      Pattern.compile("([A-Za-z_]+)\\s*=\\s*(?:\"([^\"]{0,4000})\"|([^\\s,\"]{1,4000}))");

  static Challenge of(String header) {
    var metadata = "";
    var scope = "";
    var error = "";
    var found = PARAMETER.matcher(header);
    while (found.find()) {
      var value = found.group(2) == null ? found.group(3) : found.group(2);
      switch (found.group(1).toLowerCase(Locale.ROOT)) {
        case "resource_metadata" -> metadata = value;
        case "scope" -> scope = value;
        case "error" -> error = value;
        default -> {
          // of no use here
        }
      }
    }
    return new Challenge(metadata, scope, error);
  }
}
