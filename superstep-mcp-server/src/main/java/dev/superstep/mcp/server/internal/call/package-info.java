/// Calls of tools: as threads of a checkpointer with records beside them, their questions and
/// tasks.
@NullMarked
package dev.superstep.mcp.server.internal.call;

import org.jspecify.annotations.NullMarked;
