/**
 * Who may write a table. Each start of a writing job takes the next {@link
 * io.hudilite.core.lease.WriterLease}, by creating a file that only one can create; whoever holds
 * an older one is fenced off. {@link io.hudilite.core.lease.LeaseStore} keeps the files, {@link
 * io.hudilite.core.lease.LeaseWatch} judges whether a holder is alive. Real Hudi looks at none of
 * this.
 */
package io.hudilite.core.lease;
