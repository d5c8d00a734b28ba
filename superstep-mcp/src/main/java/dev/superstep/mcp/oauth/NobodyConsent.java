package dev.superstep.mcp.oauth;

import java.net.URI;

/// A consent where nobody is.
record NobodyConsent() implements McpConsent {
  @Override
  public URI redirect() {
    return URI.create("http://127.0.0.1/callback");
  }

  @Override
  public URI visit(URI page) {
    throw new OAuthFailed("a person has to agree on a page of %s.".formatted(page.getHost()));
  }
}
