/// A workshop for bikes whose customers ask an agent, as a service of Quarkus.
@NullMarked
package bikes;

import org.jspecify.annotations.NullMarked;
