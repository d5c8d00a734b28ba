package dev.superstep.workspace;

import java.net.URI;

/// The text at an address. Immutable.
///
/// @param uri the final address, after redirects
/// @param type its media type, such as `text/html`, or empty if the server did not send one
/// @param isCut whether there is more than the workspace reads
public record FetchedText(URI uri, String type, String text, boolean isCut) {}
