/// The ways to clients: standard streams and HTTP.
@NullMarked
package dev.superstep.mcp.server.internal.transport;

import org.jspecify.annotations.NullMarked;
