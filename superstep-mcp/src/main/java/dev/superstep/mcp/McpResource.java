package dev.superstep.mcp;

/// Something that a server lets others read. None of it is to be trusted.
///
/// @param uri its address at the server; or, of a template, how such addresses are made
/// @param mediaType empty if the server does not say
/// @param isTemplate whether `uri` has places to fill in, as RFC 6570 has them
public record McpResource(
    String uri, String name, String description, String mediaType, boolean isTemplate) {}
