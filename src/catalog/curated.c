// SPDX-License-Identifier: GPL-2.0-or-later
#include "catalog/curated.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/error.h"
#include "base/release.h"
#include "base/scan.h"
#include "catalog/event.h"

/* What all events have that begin to receive a packet. Where NAPI has no part in it, the CPU that
 * sent it may be in its id's place. */
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

/*
 * What a block device is to do, in letters. Commands to zones have those of Linux 6.18, where older
 * ones have N; so has WRITE_ZEROES where blktrace knows nothing of it.
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

/* What all events have of a bio that is on its way. */
#define BIO(more)                                                                  \
	"dev=bio->bi_bdev->bd_disk->part0->bd_dev; sector=bio->bi_iter.bi_sector;" \
	"nr_sector=bio->bi_iter.bi_size >> 9;" RWBS("bio->bi_opf", more) "comm=current->comm"

#define BIOS                                        \
	{                                           \
		BIO(ATOMIC("bio->bi_opf")), BIO("") \
	}

/* Of a request; to one that only the driver understands (REQ_OP_DRV_IN, _OUT) there is no sector.
 */
#define REQUEST(ioprio, more)                                         \
	"dev=rq->q->disk->part0->bd_dev;"                             \
	"sector=(rq->cmd_flags & 0xfe) == enum(REQ_OP_DRV_IN) ? 0"    \
	" : rq->__sector == -1 ? 0 : rq->__sector;"                   \
	"nr_sector=(rq->cmd_flags & 0xfe) == enum(REQ_OP_DRV_IN) ? 0" \
	" : rq->__data_len >> 9;"                                     \
	"bytes=rq->__data_len;" ioprio RWBS("rq->cmd_flags", more) "comm=current->comm; cmd=\"\""

/* Its priority is its own, that of what it was made of, or none. */
#define REQUESTS                                                                        \
	{                                                                               \
		REQUEST("ioprio=rq->ioprio;", ATOMIC("rq->cmd_flags")),                 \
			REQUEST("ioprio=rq->bio->bi_ioprio;", ATOMIC("rq->cmd_flags")), \
			REQUEST("", "")                                                 \
	}

/*
 * Every field of the event, in the order of its record, and the expression (catalog/expr.h) by
 * which the kernel gets its value. Of several ways the first that fits is taken.
 * tests/live/curated.c holds each one against the kernel's own record.
 */
static const struct row {
	const char *event;
	const char *fields[3];
} rows[] = {
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
	{"kmem:kmalloc", /* a task has a policy where there are nodes to choose from (NUMA) */
	 {"call_site=call_site; ptr=ptr; bytes_req=bytes_req; bytes_alloc=bytes_alloc;"
	  "gfp_flags=gfp_flags; node=has(current->mempolicy) ? node : -1"}},
	{"kmem:kmem_cache_alloc", /* memory is accounted to groups of tasks where they exist */
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
	{"net:napi_gro_frags_entry", {RECEIVED}},
	{"net:napi_gro_frags_exit", {"ret=ret"}},
	{"net:napi_gro_receive_entry", {RECEIVED}},
	{"net:napi_gro_receive_exit", {"ret=ret"}},
	{"net:net_dev_queue", {"skbaddr=skb; len=skb->len; name=skb->dev->name"}},
	{"net:net_dev_start_xmit",
	 {"name=dev->name; queue_mapping=skb->queue_mapping; skbaddr=skb;"
	  "vlan_tagged=skb->vlan_all ? 1 : 0; vlan_proto=ntohs(skb->vlan_proto);"
	  "vlan_tci=skb->vlan_tci; protocol=ntohs(skb->protocol); ip_summed=skb->ip_summed;"
	  "len=skb->len; data_len=skb->data_len;"
	  "network_offset=skb->head - skb->data + skb->network_header;"
	  "transport_offset_valid=skb->transport_header == 0xffff ? 0 : 1;"
	  "transport_offset=skb->transport_header == 0xffff ? 0"
	  " : skb->head - skb->data + skb->transport_header;"
	  "tx_flags=skb_shinfo(skb)->tx_flags; gso_size=skb_shinfo(skb)->gso_size;"
	  "gso_segs=skb_shinfo(skb)->gso_segs; gso_type=skb_shinfo(skb)->gso_type"}},
	{"net:net_dev_xmit", {"skbaddr=skb; len=skb_len; rc=rc; name=dev->name"}},
	{"net:netif_receive_skb", {"skbaddr=skb; len=skb->len; name=skb->dev->name"}},
	{"net:netif_receive_skb_entry", {RECEIVED}},
	{"net:netif_receive_skb_exit", {"ret=ret"}},
	{"net:netif_rx", {"skbaddr=skb; len=skb->len; name=skb->dev->name"}},
	{"net:netif_rx_entry", {RECEIVED}},
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
	 {"hrtimer=hrtimer; now=probe(*now); function=hrtimer->function"}},
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

/* Releases before which, or before some of which, they cannot be had in that way. */
static const struct since {
	const char *event;
	unsigned int major, minor;
	const char *why;
} sinces[] = {
	{"kmem:kmem_cache_alloc", 6, 16, "a program may load its 'ptr', a const void *,"},
	{"kmem:kmem_cache_free", 6, 16, "a program may load its 'ptr', a const void *,"},
	{"net:napi_gro_frags_entry", 6, 18,
	 "what its napi_id says of packets without one is known"},
	{"net:napi_gro_receive_entry", 6, 18,
	 "what its napi_id says of packets without one is known"},
	{"net:net_dev_start_xmit", 6, 5, "what its transport_offset says of unset ones is known"},
	{"net:netif_receive_skb_entry", 6, 18,
	 "what its napi_id says of packets without one is known"},
	{"net:netif_rx_entry", 6, 18, "what its napi_id says of packets without one is known"},
	{"sched:sched_switch", 6, 14, "what its prev_state says of frozen tasks is known"},
};

enum {
	N_ROWS = sizeof(rows) / sizeof(*rows),
	N_SINCES = sizeof(sinces) / sizeof(*sinces),
	N_WAYS = sizeof(rows->fields) / sizeof(*rows->fields),
};

const char *kt_curated_name(size_t i)
{
	return i < N_ROWS ? rows[i].event : NULL;
}

static const struct row *find_row(const struct kt_event *e)
{
	size_t i, len = strlen(e->system);

	for (i = 0; i < N_ROWS; i++)
		if (strncmp(rows[i].event, e->system, len) == 0 && rows[i].event[len] == ':' &&
		    strcmp(rows[i].event + len + 1, e->name) == 0)
			return &rows[i];
	return NULL;
}

static int check_release(const struct row *row, struct kt_error *err)
{
	struct utsname here;
	size_t i;

	uname(&here);
	for (i = 0; i < N_SINCES; i++)
		if (strcmp(sinces[i].event, row->event) == 0 &&
		    !kt_release_is_since(here.release, sinces[i].major, sinces[i].minor))
			return kt_fail(err, EOPNOTSUPP, "%s from Linux %u.%u on", sinces[i].why,
				       sinces[i].major, sinces[i].minor);
	return 0;
}

/* How many elements it stores one after the other; 0 where its branches differ. */
static size_t elements(const struct kt_expr *e)
{
	size_t n;

	if (e->op == KT_EXPR_LIST)
		return 1 + elements(e->of[1]);
	if (e->op != KT_EXPR_CHOICE)
		return 1;
	n = elements(e->of[1]);
	return n == elements(e->of[2]) ? n : 0;
}

static bool has_path(const struct kt_expr *e)
{
	return e->op == KT_EXPR_PATH || e->op == KT_EXPR_PROBE;
}

/* What fits in no register. */
static bool is_wide(const struct kt_expr *e)
{
	size_t size = e->path.size;

	return e->op == KT_EXPR_TEXT || e->op == KT_EXPR_JOIN ||
	       (has_path(e) && (e->path.is_array || size > 8 || (size & (size - 1))));
}

/* The most bytes that it has, with the 0 at its end; 0 for what is no text. */
static size_t text_max(const struct kt_expr *e)
{
	size_t a, b;

	if (e->op == KT_EXPR_TEXT)
		return strlen(e->text) + 1;
	if (e->op == KT_EXPR_PATH && e->path.is_text)
		return e->path.is_array ? e->path.size : KT_CURATED_TEXT_MAX;
	if (e->op != KT_EXPR_CHOICE)
		return 0;
	a = text_max(e->of[1]);
	b = text_max(e->of[2]);
	return !a || !b ? 0 : a > b ? a : b;
}

/* Whether it is the one text that the program can store. */
static int check_text(struct kt_curated *c, const struct kt_field *f, const struct kt_expr *e,
		      struct kt_error *err)
{
	if (c->text_max)
		return kt_fail(err, EOPNOTSUPP, "%s: two fields vary in length", f->name);
	c->text_max = text_max(e);
	if (!c->text_max || c->text_max > KT_CURATED_TEXT_MAX || !kt_field_is_text(f))
		return kt_fail(err, EOPNOTSUPP, "%s: the kernel's value is no text", f->name);
	return 0;
}

static bool is_letters(const struct kt_expr *e)
{
	return e->op == KT_EXPR_CHOICE ? is_letters(e->of[1]) && is_letters(e->of[2])
				       : e->op == KT_EXPR_JOIN;
}

/* Whether the program can store the value as the field is stored. */
static int check(struct kt_curated *c, const struct kt_field *f, const struct kt_expr *e,
		 struct kt_error *err)
{
	bool whole = e->op == KT_EXPR_PATH && e->path.is_array;

	if (kt_field_varies(f))
		return check_text(c, f, e, err);
	if (whole && e->path.n && (f->flags & KT_FIELD_ARRAY) && e->path.size == f->size)
		return 0;
	if (is_letters(e) && kt_field_is_text(f) && f->size >= KT_EXPR_LETTERS)
		return 0;
	if (kt_expr_any(e, is_wide) || elements(e) * f->width != f->size)
		return kt_fail(err, EOPNOTSUPP, "%s: the kernel's value has another size", f->name);
	return 0;
}

static int fail_fields(struct kt_error *err)
{
	return kt_fail(err, EOPNOTSUPP, "this kernel's event has other fields");
}

/* One field, from its part of the row, "NAME=EXPRESSION". */
static int find_field(struct kt_curated *c, const struct kt_field *f, const char *part,
		      const struct kt_btf_tracepoint *tp, struct kt_error *err)
{
	size_t len = strlen(f->name);
	struct kt_expr *e;

	if (part)
		part += strspn(part, " ");
	if (!part || strncmp(part, f->name, len) != 0 || part[len] != '=')
		return fail_fields(err);
	e = kt_expr_parse(tp, part + len + 1, err);
	if (!e) {
		err->typed = NULL; /* it was no person who typed it */
		return kt_fail_because(err, "%s", part);
	}
	c->exprs[c->n++] = e;
	return check(c, f, e, err);
}

/* All of them, from a row's copy. */
static int find_fields(struct kt_curated *c, const struct kt_event *e, char *row,
		       const struct kt_btf_tracepoint *tp, struct kt_error *err)
{
	char *rest = row;
	size_t i;

	for (i = 0; i < e->n_fields; i++)
		if (find_field(c, &e->fields[i], strsep(&rest, ";"), tp, err) < 0)
			return -err->code;
	return rest ? fail_fields(err) : 0;
}

/* Those that are not looked at before. */
static bool follows_pointers(const struct kt_expr *e)
{
	return has_path(e) && e->path.n > (e->op == KT_EXPR_PROBE);
}

static void note_globals(const struct kt_expr *e, struct kt_curated *c)
{
	size_t i;

	for (i = 0; i < 3 && e->of[i]; i++)
		note_globals(e->of[i], c);
	if (has_path(e) && e->path.arg >= KT_PATH_GLOBALS)
		c->takes[e->path.arg - KT_PATH_GLOBALS] = true;
}

/* A file of one page has it, and nothing else, at the root of its tree of pages. */
static int find_page(struct kt_curated *c, const struct kt_btf_tracepoint *tp, struct kt_error *err)
{
	static const char way[] = "current->files->fdt->fd[0]->f_mapping->i_pages.xa_head";
	struct kt_scan scan = kt_scan_of(way, err);

	if (kt_path_find(&c->page, tp, &scan) < 0) {
		err->typed = NULL;
		return kt_fail_because(err, "%s", way);
	}
	c->page_size = kt_btf_size(tp, KT_BTF_VMEMMAP);
	return 0;
}

static void free_curated(struct kt_curated *c)
{
	size_t i;

	if (!c)
		return;
	for (i = 0; i < c->n; i++)
		kt_expr_free(c->exprs[i]);
	kt_expr_free(c->foreign);
	free(c);
}

static int try_way(struct kt_event *e, const char *fields, const struct kt_btf_tracepoint *tp,
		   struct kt_error *err)
{
	struct kt_curated *c = calloc(1, sizeof(*c) + e->n_fields * sizeof(*c->exprs));
	char *copy = strdup(fields);
	size_t i;
	int ret;

	ret = c && copy ? find_fields(c, e, copy, tp, err)
			: kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	free(copy);
	for (i = 0; ret == 0 && i < c->n; i++) {
		if (kt_expr_any(c->exprs[i], follows_pointers))
			c->btf_id = tp->id;
		note_globals(c->exprs[i], c);
	}
	if (ret == 0 && c->takes[KT_BTF_VMEMMAP])
		ret = find_page(c, tp, err);
	if (ret < 0) {
		free_curated(c);
		return ret;
	}
	kt_uncurate(e);
	e->curated = c;
	return 0;
}

static int find_foreign(struct kt_curated *c, const struct kt_btf_tracepoint *tp,
			struct kt_error *err)
{
	c->foreign = kt_expr_parse(tp, kt_syscall_foreign, err);
	if (c->foreign)
		return 0;
	err->typed = NULL;
	return kt_fail_because(err, "%s", kt_syscall_foreign);
}

static int curate_call(struct kt_event *e, enum kt_side side, struct kt_btf *btf,
		       struct kt_error *err)
{
	struct kt_btf_tracepoint tp;
	char *fields;
	int ret;

	kt_syscall_fit(e, btf);
	if (kt_btf_tracepoint(btf, kt_syscall_tracepoint(side), &tp, err) < 0)
		return -err->code;
	fields = kt_syscall_fields(e);
	ret = fields ? try_way(e, fields, &tp, err) : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	free(fields);
	if (ret < 0)
		return ret;
	e->curated->is_call = true;
	e->curated->side = side;
	e->curated->btf_id = tp.id;
	ret = find_foreign(e->curated, &tp, err);
	if (ret < 0)
		kt_uncurate(e);
	return ret;
}

int kt_curate(struct kt_event *e, struct kt_btf *btf, struct kt_error *err)
{
	const struct row *row = find_row(e);
	struct kt_btf_tracepoint tp;
	enum kt_side side;
	int i, ret;

	if (kt_syscall_of(e->system, e->name, &side))
		return curate_call(e, side, btf, err);
	if (!row)
		return kt_fail(err, ENODATA, "nobody has written down where its fields come from");
	ret = check_release(row, err);
	if (ret == 0)
		ret = kt_btf_tracepoint(btf, e->name, &tp, err);
	if (ret < 0)
		return ret;
	ret = try_way(e, row->fields[0], &tp, err);
	for (i = 1; i < N_WAYS && row->fields[i] && ret < 0; i++)
		ret = try_way(e, row->fields[i], &tp, err);
	return ret;
}

int kt_curate_as(struct kt_event *e, const char *fields, struct kt_btf *btf, struct kt_error *err)
{
	struct kt_btf_tracepoint tp;

	if (kt_btf_tracepoint(btf, e->name, &tp, err) < 0)
		return -err->code;
	return try_way(e, fields, &tp, err);
}

void kt_uncurate(struct kt_event *e)
{
	free_curated(e->curated);
	e->curated = NULL;
}
