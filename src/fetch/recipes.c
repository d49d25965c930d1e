// SPDX-License-Identifier: GPL-2.0-or-later
#include "fetch/recipes.h"

#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/error.h"
#include "base/kernel_release.h"

/* The network namespace of a packet's device, which newer kernels add to events of packets. */
#define COOKIE(dev) "; net_cookie=" dev "->nd_net.net->net_cookie"
#define WITH_COOKIE(way, dev)        \
	{                            \
		way COOKIE(dev), way \
	}

/*
 * Fields of all events at the start of receiving a packet. Without NAPI, its id's place may hold
 * the number of the CPU that sent it.
 */
#define RECEIVED                                                                           \
	"name=skb->dev->name; napi_id=skb->napi_id > NR_CPUS ? skb->napi_id : 0; "         \
	"queue_mapping=skb->queue_mapping; "                                               \
	"skbaddr=skb;"                                                                     \
	"vlan_tagged=skb->vlan_all ? 1 : 0; vlan_proto=ntohs(skb->vlan_proto);"            \
	"vlan_tci=skb->vlan_tci; protocol=ntohs(skb->protocol); ip_summed=skb->ip_summed;" \
	"hash=skb->hash; l4_hash=skb->l4_hash; len=skb->len; data_len=skb->data_len;"      \
	"truesize=skb->truesize; mac_header_valid=skb->mac_header == 0xffff ? 0 : 1;"      \
	"mac_header=skb->head - skb->data + skb->mac_header;"                              \
	"nr_frags=skb_shinfo(skb)->nr_frags; gso_size=skb_shinfo(skb)->gso_size;"          \
	"gso_type=skb_shinfo(skb)->gso_type"

#define RECEIVED_BY_DEVICE WITH_COOKIE(RECEIVED, "skb->dev")

#define QUEUED WITH_COOKIE("skbaddr=skb; len=skb->len; name=skb->dev->name", "skb->dev")

/* Fields of a packet that is given to its device. */
#define TRANSMITTED                                                                        \
	"name=dev->name; queue_mapping=skb->queue_mapping; skbaddr=skb;"                   \
	"vlan_tagged=skb->vlan_all ? 1 : 0; vlan_proto=ntohs(skb->vlan_proto);"            \
	"vlan_tci=skb->vlan_tci; protocol=ntohs(skb->protocol); ip_summed=skb->ip_summed;" \
	"len=skb->len; data_len=skb->data_len;"                                            \
	"network_offset=skb->head - skb->data + skb->network_header;"                      \
	"transport_offset_valid=skb->transport_header == 0xffff ? 0 : 1;"                  \
	"transport_offset=skb->transport_header == 0xffff ? 0"                             \
	" : skb->head - skb->data + skb->transport_header;"                                \
	"tx_flags=skb_shinfo(skb)->tx_flags; gso_size=skb_shinfo(skb)->gso_size;"          \
	"gso_segs=skb_shinfo(skb)->gso_segs; gso_type=skb_shinfo(skb)->gso_type"

/*
 * A block request's operation as letters. Zone commands have those of Linux 6.18, where older
 * kernels print N; so has WRITE_ZEROES where blktrace does not know it.
 */
#define RWBS(flags, more)                                              \
	"rwbs=(" flags " & 0xff) == enum(REQ_OP_ZONE_RESET_ALL)"       \
	" ? join(\"ZRA\", " flags " & bit(__REQ_SYNC) ? \"S\" : \"\")" \
	" : join(" flags " & bit(__REQ_PREFLUSH) ? \"F\" : \"\","      \
	" (" flags " & 0xff) == enum(REQ_OP_READ) ? \"R\""             \
	" : (" flags " & 0xff) == enum(REQ_OP_WRITE) ? \"W\""          \
	" : (" flags " & 0xff) == enum(REQ_OP_FLUSH) ? \"F\""          \
	" : (" flags " & 0xff) == enum(REQ_OP_DISCARD) ? \"D\""        \
	" : (" flags " & 0xff) == enum(REQ_OP_SECURE_ERASE) ? \"DE\""  \
	" : (" flags " & 0xff) == enum(REQ_OP_ZONE_APPEND) ? \"ZA\""   \
	" : (" flags " & 0xff) == enum(REQ_OP_ZONE_RESET) ? \"ZR\""    \
	" : (" flags " & 0xff) == enum(REQ_OP_ZONE_FINISH) ? \"ZF\""   \
	" : (" flags " & 0xff) == enum(REQ_OP_ZONE_OPEN) ? \"ZO\""     \
	" : (" flags " & 0xff) == enum(REQ_OP_ZONE_CLOSE) ? \"ZC\""    \
	" : (" flags " & 0xff) == enum(REQ_OP_WRITE_ZEROES)"           \
	" ? has(enum(BLK_TC_WRITE_ZEROES)) ? \"WZ\" : \"N\" : \"N\","  \
	" " flags " & bit(__REQ_FUA) ? \"F\" : \"\","                  \
	" " flags " & bit(__REQ_RAHEAD) ? \"A\" : \"\","               \
	" " flags " & bit(__REQ_SYNC) ? \"S\" : \"\","                 \
	" " flags " & bit(__REQ_META) ? \"M\" : \"\"" more "); "

#define ATOMIC(flags) ", " flags " & bit(__REQ_ATOMIC) ? \"U\" : \"\""

/* Fields of all events of a bio. */
#define BIO(more)                                                                  \
	"dev=bio->bi_bdev->bd_disk->part0->bd_dev; sector=bio->bi_iter.bi_sector;" \
	"nr_sector=bio->bi_iter.bi_size >> 9;" RWBS("bio->bi_opf", more) "comm=current->comm"

#define BIOS                                        \
	{                                           \
		BIO(ATOMIC("bio->bi_opf")), BIO("") \
	}

/*
 * Fields of a request. A request that only the driver understands (REQ_OP_DRV_IN, _OUT) has no
 * sector.
 */
#define REQUEST(ioprio, more)                                         \
	"dev=rq->q->disk->part0->bd_dev;"                             \
	"sector=(rq->cmd_flags & 0xfe) == enum(REQ_OP_DRV_IN) ? 0"    \
	" : rq->__sector == -1 ? 0 : rq->__sector;"                   \
	"nr_sector=(rq->cmd_flags & 0xfe) == enum(REQ_OP_DRV_IN) ? 0" \
	" : rq->__data_len >> 9;"                                     \
	"bytes=rq->__data_len;" ioprio RWBS("rq->cmd_flags", more) "comm=current->comm; cmd=\"\""

/* A request's priority is its own, its bio's, or none. */
#define REQUESTS                                                                        \
	{                                                                               \
		REQUEST("ioprio=rq->ioprio;", ATOMIC("rq->cmd_flags")),                 \
			REQUEST("ioprio=rq->bio->bi_ioprio;", ATOMIC("rq->cmd_flags")), \
			REQUEST("", "")                                                 \
	}

/* tests/live/session/curated.c compares each recipe with the kernel's own record. */
static const struct kt_recipe recipes[] = {
	{"block:block_bio_backmerge", BIOS},
	{"block:block_bio_frontmerge", BIOS},
	{"block:block_bio_queue", BIOS},
	{"block:block_dirty_buffer",
	 {"dev=bh->b_bdev->bd_dev; sector=bh->b_blocknr; size=bh->b_size"}},
	{"block:block_getrq", BIOS},
	{"block:block_io_done", REQUESTS},
	{"block:block_io_start", REQUESTS},
	{"block:block_plug", {"comm=current->comm"}},
	{"block:block_rq_insert", REQUESTS},
	{"block:block_rq_issue", REQUESTS},
	{"block:block_rq_merge", REQUESTS},
	{"block:block_touch_buffer",
	 {"dev=bh->b_bdev->bd_dev; sector=bh->b_blocknr; size=bh->b_size"}},
	{"block:block_unplug", {"nr_rq=depth; comm=current->comm"}},
	{"csd:csd_function_entry", {"func=func; csd=csd"}},
	{"csd:csd_function_exit", {"func=func; csd=csd"}},
	{"csd:csd_queue_cpu", {"cpu=cpu; callsite=callsite; func=func; csd=csd"}},
	{"exceptions:page_fault_kernel", {"address=address; ip=regs->ip; error_code=error_code"}},
	{"exceptions:page_fault_user", {"address=address; ip=regs->ip; error_code=error_code"}},
	{"ipi:ipi_send_cpu", {"cpu=cpu; callsite=callsite; callback=callback"}},
	{"irq:irq_handler_entry", {"irq=irq; name=action->name"}},
	{"irq:irq_handler_exit", {"irq=irq; ret=ret"}},
	{"irq:softirq_entry", {"vec=vec_nr"}},
	{"irq:softirq_exit", {"vec=vec_nr"}},
	{"irq:softirq_raise", {"vec=vec_nr"}},
	{"irq_vectors:call_function_entry", {"vector=vector"}},
	{"irq_vectors:call_function_exit", {"vector=vector"}},
	{"irq_vectors:call_function_single_entry", {"vector=vector"}},
	{"irq_vectors:call_function_single_exit", {"vector=vector"}},
	{"irq_vectors:irq_work_entry", {"vector=vector"}},
	{"irq_vectors:irq_work_exit", {"vector=vector"}},
	{"irq_vectors:local_timer_entry", {"vector=vector"}},
	{"irq_vectors:local_timer_exit", {"vector=vector"}},
	{"irq_vectors:reschedule_entry", {"vector=vector"}},
	{"irq_vectors:reschedule_exit", {"vector=vector"}},
	{"kmem:kfree", {"call_site=call_site; ptr=ptr"}},
	{"kmem:kmalloc", /* a task has a memory policy only on NUMA kernels */
	 {"call_site=call_site; ptr=ptr; bytes_req=bytes_req; bytes_alloc=bytes_alloc;"
	  "gfp_flags=gfp_flags; node=has(current->mempolicy) ? node : -1"}},
	{"kmem:kmem_cache_alloc", /* memory is accounted only with memory cgroups */
	 {"call_site=call_site; ptr=ptr; name=s->name; bytes_req=s->object_size;"
	  "bytes_alloc=s->size; gfp_flags=gfp_flags; node=has(current->mempolicy) ? node : -1;"
	  "accounted=has(current->active_memcg)"
	  " ? gfp_flags & bit(___GFP_ACCOUNT_BIT) | s->flags & bit(_SLAB_ACCOUNT) ? 1 : 0"
	  " : 0"}},
	{"kmem:kmem_cache_free", {"call_site=call_site; ptr=ptr; name=s->name"}},
	{"kmem:mm_page_alloc",
	 {"pfn=page ? page - vmemmap : -1; order=order; gfp_flags=gfp_flags;"
	  "migratetype=migratetype"}},
	{"kmem:mm_page_alloc_zone_locked",
	 {"pfn=page ? page - vmemmap : -1; order=order; migratetype=migratetype;"
	  "percpu_refill=percpu_refill"}},
	{"kmem:mm_page_free", {"pfn=page - vmemmap; order=order"}},
	{"kmem:mm_page_free_batched", {"pfn=page - vmemmap"}},
	{"kmem:mm_page_pcpu_drain",
	 {"pfn=page ? page - vmemmap : -1; order=order; migratetype=migratetype"}},
	{"lock:contention_begin", {"lock_addr=lock; flags=flags"}},
	{"lock:contention_end", {"lock_addr=lock; ret=ret"}},
	{"napi:napi_poll",
	 {"napi=napi; dev_name=napi->dev ? napi->dev->name : \"(no_device)\";"
	  "work=work; budget=budget"}},
	{"net:napi_gro_frags_entry", RECEIVED_BY_DEVICE},
	{"net:napi_gro_frags_exit", {"ret=ret"}},
	{"net:napi_gro_receive_entry", RECEIVED_BY_DEVICE},
	{"net:napi_gro_receive_exit", {"ret=ret"}},
	{"net:net_dev_queue", QUEUED},
	{"net:net_dev_start_xmit", WITH_COOKIE(TRANSMITTED, "dev")},
	{"net:net_dev_xmit", WITH_COOKIE("skbaddr=skb; len=skb_len; rc=rc; name=dev->name", "dev")},
	{"net:netif_receive_skb", QUEUED},
	{"net:netif_receive_skb_entry", RECEIVED_BY_DEVICE},
	{"net:netif_receive_skb_exit", {"ret=ret"}},
	{"net:netif_rx", QUEUED},
	{"net:netif_rx_entry", RECEIVED_BY_DEVICE},
	{"net:netif_rx_exit", {"ret=ret"}},
	{"power:cpu_idle", {"state=state; cpu_id=cpu_id"}},
	{"raw_syscalls:sys_enter", /* 2 is TS_COMPAT: the arguments of a 32-bit call */
	 {"id=id;"
	  "args=current->thread_info.status & 2"
	  " ? regs->bx, regs->cx, regs->dx, regs->si, regs->di, regs->bp"
	  " : regs->di, regs->si, regs->dx, regs->r10, regs->r8, regs->r9"}},
	{"raw_syscalls:sys_exit", {"id=(int)regs->orig_ax; ret=ret"}},
	{"rcu:rcu_utilization", {"s=s"}},
	{"sched:sched_migrate_task",
	 {"comm=p->comm; pid=p->pid; prio=p->prio; orig_cpu=p->thread_info.cpu;"
	  "dest_cpu=dest_cpu"}},
	{"sched:sched_process_exit",
	 {"comm=p->comm; pid=p->pid; prio=p->prio; group_dead=group_dead",
	  "comm=p->comm; pid=p->pid; prio=p->prio"}},
	{"sched:sched_process_free", {"comm=p->comm; pid=p->pid; prio=p->prio"}},
	{"sched:sched_stat_runtime",
	 {"comm=tsk->comm; pid=tsk->pid; runtime=runtime",
	  "comm=tsk->comm; pid=tsk->pid; runtime=runtime; vruntime=vruntime"}},
	{"sched:sched_switch", /* TASK_FROZEN or _RTLOCK_WAIT, _IDLE, then each of TASK_REPORT */
	 {"prev_comm=prev->comm; prev_pid=prev->pid; prev_prio=prev->prio;"
	  "prev_state=preempt ? 0x100"
	  " : prev_state & 0x9000 ? 2"
	  " : (prev_state & 0x402) == 0x402 ? 0x80"
	  " : (prev_state | prev->exit_state) & 0x7e"
	  " ? (prev_state | prev->exit_state) & 0x40 ? 0x40"
	  " : (prev_state | prev->exit_state) & 0x20 ? 0x20"
	  " : (prev_state | prev->exit_state) & 0x10 ? 0x10"
	  " : prev_state & 8 ? 8 : prev_state & 4 ? 4 : 2"
	  " : prev_state & 1;"
	  "next_comm=next->comm; next_pid=next->pid; next_prio=next->prio"}},
	{"sched:sched_wakeup",
	 {"comm=p->comm; pid=p->pid; prio=p->prio; target_cpu=p->thread_info.cpu"}},
	{"sched:sched_wakeup_new",
	 {"comm=p->comm; pid=p->pid; prio=p->prio; target_cpu=p->thread_info.cpu"}},
	{"sched:sched_waking",
	 {"comm=p->comm; pid=p->pid; prio=p->prio; target_cpu=p->thread_info.cpu"}},
	{"signal:signal_deliver", /* instead of a pointer SEND_SIG_NOINFO, _PRIV (SI_KERNEL) */
	 {"sig=sig; errno=info == 0 ? 0 : info == 1 ? 0 : probe(info->si_errno);"
	  "code=info == 0 ? 0 : info == 1 ? 0x80 : probe(info->si_code);"
	  "sa_handler=ka->sa.sa_handler; sa_flags=ka->sa.sa_flags"}},
	{"signal:signal_generate",
	 {"sig=sig; errno=info == 0 ? 0 : info == 1 ? 0 : probe(info->si_errno);"
	  "code=info == 0 ? 0 : info == 1 ? 0x80 : probe(info->si_code);"
	  "comm=task->comm; pid=task->pid; group=group; result=result"}},
	{"skb:consume_skb", {"skbaddr=skb; location=location", "skbaddr=skb"}},
	{"skb:kfree_skb",
	 {"skbaddr=skb; location=location; rx_sk=rx_sk; protocol=ntohs(skb->protocol);"
	  "reason=reason",
	  "skbaddr=skb; location=location; protocol=ntohs(skb->protocol); reason=reason"}},
	{"skb:skb_copy_datagram_iovec", {"skbaddr=skb; len=len"}},
	{"task:task_newtask",
	 {"pid=task->pid; comm=task->comm; clone_flags=clone_flags;"
	  "oom_score_adj=task->signal->oom_score_adj"}},
	{"timer:hrtimer_cancel", {"hrtimer=hrtimer"}},
	{"timer:hrtimer_expire_entry",
	 {"hrtimer=hrtimer; now=probe(*now); function=hrtimer->function",
	  "hrtimer=hrtimer; now=now; function=hrtimer->function"}},
	{"timer:hrtimer_expire_exit", {"hrtimer=hrtimer"}},
	{"timer:hrtimer_init", {"hrtimer=hrtimer; clockid=clockid; mode=mode"}},
	{"timer:hrtimer_setup", {"hrtimer=hrtimer; clockid=clockid; mode=mode"}},
	{"timer:hrtimer_start",
	 {"hrtimer=hrtimer; function=hrtimer->function; expires=hrtimer->node.expires;"
	  "softexpires=hrtimer->_softexpires; mode=mode; was_armed=was_armed",
	  "hrtimer=hrtimer; function=hrtimer->function; expires=hrtimer->node.expires;"
	  "softexpires=hrtimer->_softexpires; mode=mode"}},
	{"timer:tick_stop", {"success=success; dependency=dependency"}},
	{"timer:timer_base_idle", {"is_idle=is_idle; cpu=cpu"}},
	{"timer:timer_cancel", {"timer=timer"}},
	{"timer:timer_expire_entry",
	 {"timer=timer; now=jiffies; function=timer->function; baseclk=baseclk"}},
	{"timer:timer_expire_exit", {"timer=timer"}},
	{"timer:timer_init", {"timer=timer"}},
	{"timer:timer_start",
	 {"timer=timer; function=timer->function; expires=timer->expires;"
	  "bucket_expiry=bucket_expiry; now=jiffies; flags=timer->flags",
	  "timer=timer; function=timer->function; expires=expires; now=jiffies; flags=flags"}},
	{"tlb:tlb_flush", {"reason=reason; pages=pages"}},
	{"workqueue:workqueue_activate_work", {"work=work; function=work->func", "work=work"}},
	{"workqueue:workqueue_execute_end", {"work=work; function=function"}},
	{"workqueue:workqueue_execute_start", {"work=work; function=work->func"}},
	{"workqueue:workqueue_queue_work",
	 {"work=work; function=work->func; workqueue=pwq->wq->name; req_cpu=req_cpu;"
	  "cpu=pwq->pool->cpu"}},
};

/* The first releases for which recipes are valid. */
static const struct since {
	const char *event;
	unsigned int major, minor;
	const char *why;
} sinces[] = {
	{"kmem:kmem_cache_alloc", 6, 16, "programs may load 'ptr', a const void *,"},
	{"kmem:kmem_cache_free", 6, 16, "programs may load 'ptr', a const void *,"},
	{"net:napi_gro_frags_entry", 6, 18, "the value of 'napi_id' without a NAPI is known"},
	{"net:napi_gro_receive_entry", 6, 18, "the value of 'napi_id' without a NAPI is known"},
	{"net:net_dev_start_xmit", 6, 5, "the value of an unset 'transport_offset' is known"},
	{"net:netif_receive_skb_entry", 6, 18, "the value of 'napi_id' without a NAPI is known"},
	{"net:netif_rx_entry", 6, 18, "the value of 'napi_id' without a NAPI is known"},
	{"sched:sched_switch", 6, 14, "the 'prev_state' of frozen tasks is known"},
};

enum {
	N_RECIPES = sizeof(recipes) / sizeof(*recipes),
	N_SINCES = sizeof(sinces) / sizeof(*sinces),
};

const struct kt_recipe *kt_recipe_at(size_t i)
{
	return i < N_RECIPES ? &recipes[i] : NULL;
}

const struct kt_recipe *kt_recipe_of(const char *system, const char *event)
{
	size_t i, len = strlen(system);

	for (i = 0; i < N_RECIPES; i++)
		if (strncmp(recipes[i].event, system, len) == 0 && recipes[i].event[len] == ':' &&
		    strcmp(recipes[i].event + len + 1, event) == 0)
			return &recipes[i];
	return NULL;
}

int kt_recipe_check(const struct kt_recipe *r, struct kt_error *err)
{
	struct utsname here;
	size_t i;

	uname(&here);
	for (i = 0; i < N_SINCES; i++)
		if (strcmp(sinces[i].event, r->event) == 0 &&
		    !kt_kernel_release_is_since(here.release, sinces[i].major, sinces[i].minor))
			return kt_fail(err, EOPNOTSUPP, "%s from Linux %u.%u on", sinces[i].why,
				       sinces[i].major, sinces[i].minor);
	return 0;
}
