/// Requests to other servers, which never reach private addresses.
@NullMarked
package dev.superstep.server.internal.net;

import org.jspecify.annotations.NullMarked;
