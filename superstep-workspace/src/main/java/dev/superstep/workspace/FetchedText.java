package dev.superstep.workspace;

import java.net.URI;

/// What was at an address. Immutable.
///
/// @param uri where it was in the end, after redirects
/// @param type its media type, such as `text/html`, or empty if the server did not say
/// @param isCut whether there is more than the workspace reads
public record FetchedText(URI uri, String type, String text, boolean isCut) {}
