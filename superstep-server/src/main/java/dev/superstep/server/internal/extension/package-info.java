/// The server as an extension sees it: its routes, the requests to them, and the API behind.
@NullMarked
package dev.superstep.server.internal.extension;

import org.jspecify.annotations.NullMarked;
