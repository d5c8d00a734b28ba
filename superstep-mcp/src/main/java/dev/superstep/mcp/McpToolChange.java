package dev.superstep.mcp;

import dev.superstep.json.Json;
import java.util.Optional;

/// A tool that is not as it was approved.
///
/// @param server the name of the server
/// @param tool as the server names it
/// @param approved what was approved; empty if the server had no such tool
/// @param offered what the server says now: its text may be hostile
public record McpToolChange(String server, String tool, Optional<Json> approved, Json offered) {}
