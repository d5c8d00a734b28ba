package dev.superstep.server.internal.api.studio;

import dev.superstep.server.internal.api.Resource;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// The page of the studio with its scripts and styles, from the class path. A build without Node
/// has none; a page then says so. Immutable.
public final class StudioAssets implements Resource {
  private static final String FOLDER = "/dev/superstep/server/studio/";
  private static final String PAGE = "index.html";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*");
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "json", "application/json",
          "txt", "text/plain; charset=utf-8");
  // Styles of elements are set by the library that draws graphs.
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline';"
          + " img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";
  private static final String MISSING =
      """
      <!doctype html>
      <html lang="en"><meta charset="utf-8"><title>Superstep</title>
      <h1>This build has no studio</h1>
      <p>The studio is built with Node.js and npm, which were not there when this server was built.
      Install Node.js 20 or newer and build again, or use a release, which has the studio.
      The API works without it.</p></html>
      """;

  private final String folder;

  public StudioAssets() {
    this(FOLDER);
  }

  /// @param folder of the class path, with a slash at its end
  StudioAssets(String folder) {
    this.folder = folder;
  }

  @Override
  public void addTo(Routes routes) {
    if (isBuilt()) {
      routes.open("GET", "/", _ -> new Reply.Empty(302, Map.of("Location", "/studio")));
    }
    routes
        .open("GET", "/studio", this::page)
        .open("GET", "/studio/", this::page)
        .open("GET", "/studio/{file}", call -> file(call.part("file"), "no-cache"))
        .open(
            "GET",
            "/studio/assets/{file}",
            call ->
                file(
                    "assets/" + checked(call.part("file")), "public, max-age=31536000, immutable"));
  }

  /// Returns whether this build has the studio.
  public static boolean isBuilt() {
    return StudioAssets.class.getResource(FOLDER + PAGE) != null;
  }

  /// The page names its files as those beside it, so its own address must end with a slash.
  private Reply page(Call call) {
    if (!call.path().endsWith("/")) {
      return new Reply.Empty(307, Map.of("Location", "studio/"));
    }
    return read(PAGE)
        .<Reply>map(body -> bytes(200, PAGE, body, "no-cache"))
        .orElseGet(() -> bytes(501, PAGE, MISSING.getBytes(StandardCharsets.UTF_8), "no-cache"));
  }

  private Reply file(String name, String caching) {
    if (!name.startsWith("assets/")) checked(name);
    return read(name)
        .map(body -> bytes(200, name, body, caching))
        .orElseThrow(() -> new HttpFailure(404, "There is no such file of the studio."));
  }

  private static String checked(String name) {
    if (NAME.matcher(name).matches()) return name;
    throw new HttpFailure(404, "There is no such file of the studio.");
  }

  private static Reply bytes(int status, String name, byte[] body, String caching) {
    var type =
        TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "application/octet-stream");
    return new Reply.Bytes(status, type, body, Map.of())
        .with("Cache-Control", caching)
        .with("Content-Security-Policy", POLICY)
        .with("X-Content-Type-Options", "nosniff")
        .with("Referrer-Policy", "no-referrer");
  }

  private Optional<byte[]> read(String name) {
    try (var in = StudioAssets.class.getResourceAsStream(folder + name)) {
      return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("the studio cannot be read from its jar", e);
    }
  }
}
