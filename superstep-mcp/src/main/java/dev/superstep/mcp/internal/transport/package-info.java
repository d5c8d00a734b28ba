/// Transports of messages: processes and streamable HTTP.
package dev.superstep.mcp.internal.transport;
