/// The text of messages, within limits: for both sides of a connection.
package dev.superstep.mcp.internal.wire;
