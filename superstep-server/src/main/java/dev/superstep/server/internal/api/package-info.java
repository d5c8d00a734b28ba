/// The resources of the API, one for each part, and what they share.
@NullMarked
package dev.superstep.server.internal.api;

import org.jspecify.annotations.NullMarked;
