/// Stores of approved tools.
package dev.superstep.mcp.internal.pin;
