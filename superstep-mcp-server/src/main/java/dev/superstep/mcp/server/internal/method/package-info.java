/// The methods of the protocol, for each of its revisions.
@NullMarked
package dev.superstep.mcp.server.internal.method;

import org.jspecify.annotations.NullMarked;
