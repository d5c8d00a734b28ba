/// Tasks of servers: calls whose results are asked for later.
package dev.superstep.mcp.internal.task;
