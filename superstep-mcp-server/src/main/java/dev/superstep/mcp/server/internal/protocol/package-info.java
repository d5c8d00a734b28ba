/// The messages of the protocol: requests, replies, errors, content and pages.
@NullMarked
package dev.superstep.mcp.server.internal.protocol;

import org.jspecify.annotations.NullMarked;
