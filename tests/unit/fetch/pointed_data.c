// SPDX-License-Identifier: GPL-2.0-or-later
/* Pointed-to data of system calls, by the types and names that the kernel declares. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "ctypes/btf.h"
#include "ctypes/struct_layout.h"
#include "events/event.h"
#include "fetch/fd_arguments.h"
#include "fetch/late_text.h"
#include "fetch/pointed_data.h"
#include "fetch/pointed_fields.h"

/* Makes the format of an event of that call, with these arguments. */
static struct kt_event *make_named_event(const char *call, const char *arguments)
{
	char format[2048], copy[512], *rest = copy, *argument;
	struct kt_error err;
	struct kt_event *e;
	unsigned int n = 0, at = 8;

	snprintf(copy, sizeof(copy), "int __syscall_nr, %s", arguments);
	n += snprintf(format, sizeof(format),
		      "name: sys_enter_%s\nID: 1\nformat:\n"
		      "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n",
		      call);
	for (; (argument = strsep(&rest, ",")); at += 8)
		n += snprintf(format + n, sizeof(format) - n,
			      "\tfield:%s;\toffset:%u;\tsize:8;\tsigned:0;\n",
			      argument + strspn(argument, " "), at);
	snprintf(format + n, sizeof(format) - n, "\nprint fmt: \"\"\n");
	e = kt_event_parse("syscalls", format, &err);
	if (!e)
		fail_msg("%s: %s", arguments, err.text);
	return e;
}

static struct kt_event *make_event(const char *arguments)
{
	return make_named_event("call", arguments);
}

/* Returns the text after the field's name. */
static const char *kind_of(const struct kt_field *f)
{
	static char of[64];

	if (kt_field_is_text(f))
		return "";
	if (f->notation == KT_BYTES)
		return "[]";
	if (f->notation == KT_STRINGS)
		return "[strings]";
	if (f->notation == KT_BUFFERS)
		return "[buffers]";
	if (f->notation == KT_SOCKADDR)
		return "[sockaddr]";
	if (f->notation == KT_CONTROL)
		return "[control]";
	if (f->notation == KT_OPTION)
		return "[option]";
	if (f->of)
		snprintf(of, sizeof(of), "[%s]", f->of->name);
	else
		snprintf(of, sizeof(of), "[%c%u]", f->flags & KT_FIELD_SIGNED ? 's' : 'u',
			 8 * f->width);
	return of;
}

/* Lists the fields from one on. */
static const char *list_fields(const struct kt_event *e, size_t from)
{
	static char found[512];
	size_t i;

	*found = 0;
	for (i = from; i < e->n_fields; i++) {
		strcat(found, i > from ? " " : "");
		strcat(found, e->fields[i].name);
		strcat(found, kind_of(&e->fields[i]));
	}
	return found;
}

/*
 * Asserts the added fields: "__filename_val", bytes "__buf_val[]", numbers "__fildes_val[s32]", a
 * struct "__statbuf_val[stat]".
 */
static void assert_added(struct kt_event *e, const char *expected)
{
	char argument[KT_POINTED_DATA_NAME_MAX];
	struct kt_btf *btf = kt_btf_new();
	size_t i, n = e->n_fields;

	assert_int_equal(kt_pointed_fields_add_all(e, btf), 0);
	assert_int_equal(kt_late_text_add_all(e, btf), 0);
	kt_btf_free(btf);
	for (i = n; i < e->n_fields; i++) {
		assert_true(kt_field_varies(&e->fields[i]));
		if (kt_late_text_argument(e->fields[i].name, argument)) {
			assert_non_null(kt_event_field(e->call, argument));
			continue;
		}
		assert_true(kt_pointed_data_argument(e->fields[i].name, argument));
		assert_int_equal(kt_pointed_fields_find(e, argument), i);
	}
	assert_string_equal(list_fields(e, n), expected);
	kt_event_remove_added(e);
	assert_int_equal(e->n_fields, n);
	assert_int_equal(kt_pointed_fields_find(e, "filename"), n);
}

/* Asserts the fields added at the entry. */
static void assert_entry(const char *arguments, const char *expected)
{
	struct kt_event *e = make_event(arguments);

	assert_added(e, expected);
	kt_event_free(e);
}

/* Asserts the fields added at the return, whose format has no arguments. */
static void assert_return(const char *arguments, const char *expected)
{
	struct kt_event *e = make_event("long ret");

	e->call = make_event(arguments);
	assert_added(e, expected);
	kt_event_free(e);
}

/* The same, with a field for their number before them. */
static void assert_counted(const char *arguments, const char *expected, const char *count)
{
	struct kt_event *e = make_event("long ret");
	const struct kt_field *f;
	struct kt_btf *btf = kt_btf_new();
	size_t n = e->n_fields;

	e->call = make_event(arguments);
	assert_int_equal(kt_pointed_fields_add_all(e, btf), 0);
	kt_btf_free(btf);
	assert_int_equal(e->n_fields, n + 2);
	f = &e->fields[n];
	assert_string_equal(f->name, count);
	assert_false(kt_field_varies(f));
	assert_string_equal(f->type, kt_event_field(e->call, count)->type);
	assert_string_equal(list_fields(e, n + 1), expected);
	kt_event_free(e);
}

static void data_given(void **state)
{
	(void)state;
	assert_entry("int dfd, const char * filename, int flags, umode_t mode", "__filename_val");
	assert_entry("const char * oldname, const char * newname", "__oldname_val __newname_val");
	assert_entry("const char * path, long length", "__path_val");
	assert_entry("const char * pathname, const char * name, void * value, size_t size",
		     "__pathname_val __name_val");
	assert_entry("int fd, unsigned int cmd, const char * _key, const void * _value, int aux",
		     "___key_val");
	assert_entry("const char * uname, unsigned int flags", "__uname_val");
}

/* A socket address's length is the next argument, or that argument points to it. */
static void addresses(void **state)
{
	(void)state;
	assert_entry("int fd, struct sockaddr * umyaddr, int addrlen", "__umyaddr_val[sockaddr]");
	assert_return("int fd, struct sockaddr * umyaddr, int addrlen", "");
	assert_entry("int fd, struct sockaddr * usockaddr, int * usockaddr_len",
		     "__usockaddr_len_val[s32]");
	assert_return("int fd, struct sockaddr * usockaddr, int * usockaddr_len",
		      "__usockaddr_val[sockaddr] __usockaddr_len_val[s32]");
	assert_entry("int fd, struct sockaddr * umyaddr", "");
	assert_return("int fd, struct sockaddr * umyaddr", "");
}

/* The length of a list is recorded, too, and nothing else of an environment. */
static void lists(void **state)
{
	struct kt_event *e = make_event(
		"const char * filename, const char *const * argv, const char *const * envp");
	struct kt_btf *btf = kt_btf_new();
	char argument[KT_POINTED_DATA_NAME_MAX];

	(void)state;
	assert_int_equal(kt_pointed_fields_add_all(e, btf), 0);
	assert_string_equal(list_fields(e, 4), "__argv_count[s32] __envp_count[s32] __filename_val "
					       "__argv_val[strings]");
	assert_false(kt_field_varies(&e->fields[4]));
	assert_false(kt_field_varies(&e->fields[5]));
	kt_event_free(e);
	e = make_event("long ret");
	e->call = make_event("const char *const * argv");
	assert_int_equal(kt_pointed_fields_add_all(e, btf), 0);
	assert_int_equal(e->n_fields, 2);
	kt_event_free(e);
	e = make_event("long ret");
	e->call = make_event("unsigned int fd, struct linux_dirent64 * dirent, unsigned int count");
	assert_int_equal(kt_pointed_fields_add_all(e, btf), 0);
	assert_string_equal(list_fields(e, 2), "__dirent_count[s32]");
	kt_event_free(e);
	kt_btf_free(btf);

	assert_true(kt_pointed_data_count_argument("__argv_count", argument));
	assert_string_equal(argument, "argv");
	assert_false(kt_pointed_data_count_argument("__argv_val", argument));
	assert_false(kt_pointed_data_count_argument("___count", argument));
	assert_false(kt_pointed_data_count_argument("argv_count", argument));
}

/* Old calls declare less. */
static void not_const(void **state)
{
	(void)state;
	assert_entry("char * dev_name, char * dir_name, char * type, unsigned long flags, "
		     "void * data",
		     "__dev_name_val __dir_name_val __type_val");
	assert_entry("char * name, int flags", "__name_val");
	assert_entry("char * filename, struct utimbuf * times",
		     "__filename_val __times_val[utimbuf]");
}

/* The next argument is their length. */
static void bytes(void **state)
{
	(void)state;
	assert_entry("unsigned int fd, const char * buf, size_t count", "__buf_val[]");
	assert_entry("mqd_t mqdes, const char * u_msg_ptr, size_t msg_len, unsigned int prio",
		     "__u_msg_ptr_val[]");
	assert_entry("char * name, int len", "__name_val[]");
	assert_entry("int fd, void * buff, size_t len, unsigned int flags", "__buff_val[]");
	assert_entry("int fd, int level, int optname, char * optval, int optlen",
		     "__optval_val[option]");
	assert_entry("const char * pathname, const char * name, const void * value, size_t size",
		     "__pathname_val __name_val __value_val[]");
	assert_entry("const char * _type, const char * _description, const void * _payload, "
		     "size_t plen",
		     "___type_val ___description_val ___payload_val[]");
}

static void data_returned(void **state)
{
	(void)state;
	assert_return("unsigned int fd, char * buf, size_t count", "__buf_val[]");
	assert_return("const char * path, char * buf, int bufsiz", "__buf_val[] __path_late");
	assert_return("int fd, void * ubuf, size_t size, unsigned int flags", "__ubuf_val[]");
	assert_return("char * buf, unsigned long size", "__buf_val[]");
	assert_return("unsigned int fd, const char * buf, size_t count", "");
	assert_return("int fd, int level, int optname, char * optval, int * optlen",
		      "__optval_val[option] __optlen_val[s32]");
	assert_return("void * uaddr, unsigned long mask", "");
}

static void names(void **state)
{
	char argument[KT_POINTED_DATA_NAME_MAX];

	(void)state;
	assert_true(kt_pointed_data_argument("___key_val", argument));
	assert_string_equal(argument, "_key");
	assert_false(kt_pointed_data_argument("___val", argument));
	assert_false(kt_pointed_data_argument("__val", argument));
	assert_false(kt_pointed_data_argument("_val", argument));
	assert_false(kt_pointed_data_argument("__buf", argument));
	assert_false(kt_pointed_data_argument("xxbuf_val", argument));
}

static void no_text(void **state)
{
	(void)state;
	assert_entry("unsigned int fd, char * buf, size_t count", "");
	assert_entry("char * buf, unsigned long size", "");
	assert_entry("int shmid, char * shmaddr, int shmflg", "");
	assert_entry("int fd, int level, int optname, char * optval, int * optlen",
		     "__optlen_val[s32]");
	assert_entry("unsigned long start, size_t len, unsigned char * vec", "");
}

static void both(void **state)
{
	(void)state;
	assert_entry("const char * path, char * buf, int bufsiz", "__path_val");
	assert_entry("const char * pathname, char * list, size_t size", "__pathname_val");
}

/* A number is written by the call, unless it is known to be read, too, or to be something else. */
static void numbers(void **state)
{
	(void)state;
	assert_return("int * fildes, int flags", "__fildes_val[s32]");
	assert_entry("int * fildes, int flags", "");
	assert_return("uid_t * ruidp, uid_t * euidp, uid_t * suidp",
		      "__ruidp_val[u32] __euidp_val[u32] __suidp_val[u32]");
	assert_return("int fd_out, int fd_in, loff_t * off_in, size_t len", "__off_in_val[s64]");
	assert_entry("int fd_out, int fd_in, loff_t * off_in, size_t len", "__off_in_val[s64]");
	assert_return("unsigned * cpup, unsigned int * nodep, size_t * len_ptr, unsigned long * n",
		      "__cpup_val[u32] __nodep_val[u32] __len_ptr_val[u64] __n_val[u64]");
	assert_return("u32 * uaddr, int * child_tidptr, u64 * ids", "");
	assert_return("const int * nodes, fd_set * inp, void * a", "");
	assert_return("struct robust_list_head * * head_ptr, char * shmaddr, int shmflg", "");
}

/* Signal sets: blocked and pending ones are returned, others are given. */
static void sets(void **state)
{
	(void)state;
	assert_entry("int how, sigset_t * nset, sigset_t * oset", "__nset_val[u64]");
	assert_return("int how, sigset_t * nset, sigset_t * oset", "__oset_val[u64]");
	assert_return("sigset_t * uset, size_t sigsetsize", "__uset_val[u64]");
	assert_entry("const sigset_t * uthese, sigset_t * user_mask",
		     "__uthese_val[u64] __user_mask_val[u64]");
	assert_return("const sigset_t * uthese, sigset_t * user_mask", "");
}

/* const structs are given, others returned, with exceptions. */
static void structs(void **state)
{
	(void)state;
	assert_return("const char * filename, struct stat * statbuf",
		      "__statbuf_val[stat] __filename_late");
	assert_entry("const char * filename, struct stat * statbuf", "__filename_val");
	assert_entry("const stack_t * uss, stack_t * uoss", "__uss_val[sigaltstack]");
	assert_return("const stack_t * uss, stack_t * uoss", "__uoss_val[sigaltstack]");
	assert_entry("struct __kernel_timespec * rqtp, struct __kernel_timespec * rmtp",
		     "__rqtp_val[__kernel_timespec]");
	assert_return("struct __kernel_timespec * rqtp, struct __kernel_timespec * rmtp",
		      "__rmtp_val[__kernel_timespec]");
	assert_entry("struct __kernel_timex * txc_p", "__txc_p_val[__kernel_timex]");
	assert_return("struct __kernel_timex * txc_p", "__txc_p_val[__kernel_timex]");
}

/* Arrays counted by an argument known by name, which the return's record also has. */
static void counted(void **state)
{
	(void)state;
	assert_entry("unsigned long fd, const struct iovec * vec, unsigned long vlen",
		     "__vec_val[iovec]");
	assert_return("unsigned long fd, const struct iovec * vec, unsigned long vlen", "");
	assert_entry("struct pollfd * ufds, unsigned int nfds, int timeout", "__ufds_val[pollfd]");
	assert_counted("struct pollfd * ufds, unsigned int nfds, int timeout", "__ufds_val[pollfd]",
		       "nfds");
	assert_return("int epfd, struct epoll_event * events, int maxevents",
		      "__events_val[epoll_event]");
	assert_return("aio_context_t ctx_id, long nr, struct io_event * events",
		      "__events_val[io_event]");
	assert_return("int gidsetsize, gid_t * grouplist", "__grouplist_val[u32]");
	assert_entry("int gidsetsize, gid_t * grouplist", "");
	assert_entry(
		"unsigned long nr_pages, const void * * pages, const int * nodes, int * status",
		"__pages_val[u64] __nodes_val[s32]");
	assert_counted("unsigned long nr_pages, const void * * pages, const int * nodes, "
		       "int * status",
		       "__status_val[s32]", "nr_pages");
	assert_entry("struct futex_waitv * waiters, unsigned int nr_futexes",
		     "__waiters_val[futex_waitv]");
	assert_entry("int n, fd_set * inp, fd_set * outp", "__inp_val[u64] __outp_val[u64]");
	assert_counted("int n, fd_set * inp", "__inp_val[u64]", "n");
	assert_return("pid_t pid, unsigned int len, unsigned long * user_mask_ptr",
		      "__user_mask_ptr_val[u64]");
	assert_entry("int mode, const unsigned long * nmask, unsigned long maxnode",
		     "__nmask_val[u64]");
	assert_counted("unsigned long start, size_t len, unsigned char * vec", "__vec_val[u8]",
		       "len");
}

/* Asserts the fields at the entry and at the return, which also has the number of elements. */
static void assert_vector(const char *call, const char *arguments, const char *entry,
			  const char *ret)
{
	struct kt_event *e = make_named_event(call, arguments), *exit = make_event("long ret");
	struct kt_btf *btf = kt_btf_new();
	size_t n = e->n_fields;

	assert_int_equal(kt_pointed_fields_add_all(e, btf), 0);
	assert_string_equal(list_fields(e, n), entry);
	kt_event_remove_added(e);
	exit->call = e;
	n = exit->n_fields;
	assert_int_equal(kt_pointed_fields_add_all(exit, btf), 0);
	assert_string_equal(list_fields(exit, n), ret);
	kt_btf_free(btf);
	kt_event_free(exit);
}

/* Buffers of vectors: written ones at the entry, read ones at the return. */
static void vectors(void **state)
{
	static const char vec[] = "int fd, const struct iovec * vec, unsigned long vlen";
	static const char both[] = "const struct iovec * lvec, unsigned long liovcnt, "
				   "const struct iovec * rvec, unsigned long riovcnt";
	char argument[KT_POINTED_DATA_NAME_MAX];

	(void)state;
	assert_vector("pwritev2", vec, "__vec_val[iovec] __vec_data[buffers]", "");
	assert_vector("preadv", vec, "__vec_val[iovec]",
		      "vlen[u64] __vec_val[iovec] __vec_data[buffers]");
	assert_vector("vmsplice", "const struct iovec * uiov, unsigned long nr_segs",
		      "__uiov_val[iovec] __uiov_data[buffers]", "");
	assert_vector("process_vm_writev", both,
		      "__lvec_val[iovec] __lvec_data[buffers] __rvec_val[iovec]", "");
	assert_vector("process_vm_readv", both, "__lvec_val[iovec] __rvec_val[iovec]",
		      "liovcnt[u64] __lvec_val[iovec] __lvec_data[buffers]");
	assert_vector("process_madvise", vec, "__vec_val[iovec]", "");
	assert_vector("writev", "struct iovec * vec, unsigned long vlen", "",
		      "vlen[u64] __vec_val[iovec]");
	assert_true(kt_pointed_data_buffers_argument("__vec_data", argument));
	assert_string_equal(argument, "vec");
	assert_false(kt_pointed_data_buffers_argument("__vec_val", argument));
}

/* A message's address and vector, once it is complete. */
static void messages(void **state)
{
	static const char msg[] = "int fd, struct user_msghdr * msg, unsigned int flags";
	static const char sent[] = "__fd_socket[s32] __msg_val[user_msghdr] "
				   "__msg_name_val[sockaddr] __msg_iov_val[iovec] "
				   "__msg_iov_data[buffers] __msg_control_val[control]";
	const char *led = strchr(sent, ' ') + 1;

	(void)state;
	assert_vector("sendmsg", msg, sent, "");
	assert_vector("sendto", "int fd, void * buff, size_t len, unsigned int flags",
		      "__fd_socket[s32] __buff_val[]", "");
	assert_vector("recvmsg", msg, "__msg_val[user_msghdr]", led);
	assert_vector("sendmmsg", "struct mmsghdr * mmsg, unsigned int vlen", "__mmsg_val[mmsghdr]",
		      "__mmsg_val[mmsghdr]");
}

/* Structs of the next argument's size. */
static void sized(void **state)
{
	(void)state;
	assert_entry("struct clone_args * uargs, size_t size", "__uargs_val[clone_args]");
	assert_entry("int dfd, struct open_how * how, size_t usize", "__how_val[open_how]");
	assert_return("int dfd, struct open_how * how, size_t usize", "");
	assert_return("pid_t pid, struct sched_attr * uattr, unsigned int usize",
		      "__uattr_val[sched_attr]");
	assert_return("pid_t pid, struct sched_attr * uattr, unsigned int flags", "");
	assert_entry("const struct mount_attr *const uattr, const size_t size",
		     "__uattr_val[mount_attr]");
}

/* Several structs of unknown number, bytes in place of a struct, or none. */
static void no_structs(void **state)
{
	(void)state;
	assert_entry("unsigned long fd, const struct iovec * vec, unsigned long n", "");
	assert_return("int epfd, struct epoll_event * events, int n", "");
	assert_return("unsigned int attr, struct lsm_ctx * ctx, u32 * size, u32 flags",
		      "__size_val[u32]");
	assert_return("int which, struct siginfo * infop, int options", "");
	assert_return("struct nothing_such * a, struct iocb * * b, union bpf_attr * c", "");
	assert_return("struct task_struct * a, struct module * b", "");
}

/* Many structs leave room for other data in the smallest rings. */
static void many_structs(void **state)
{
	(void)state;
	assert_return("struct new_utsname * a, struct stat * b, struct tms * c",
		      "__a_val[new_utsname] __c_val[tms]");
}

/* Arguments that are pointers depending on another one, at the entry and at the return. */
static void assert_pointers(const char *call, const char *arguments, const char *expected,
			    const char *taken)
{
	struct kt_event *exit = make_event("long ret"), *e = make_named_event(call, arguments);

	assert_added(e, expected);
	exit->call = e;
	assert_added(exit, taken);
	kt_event_free(exit);
}

static void pointers(void **state)
{
	(void)state;
	assert_pointers("fcntl", "unsigned int fd, unsigned int cmd, unsigned long arg",
			"__arg_val[flock]", "__arg_val[flock]");
	assert_pointers("fcntl", "unsigned int fd, unsigned long arg", "", "");
	assert_pointers("ioctl", "unsigned int fd, unsigned int cmd, unsigned long arg",
			"__arg_val[option]", "__arg_val[option]");
	assert_pointers("ioctl", "unsigned int fd, unsigned int request, unsigned long arg", "",
			"");
	assert_pointers("other", "unsigned int cmd, unsigned long arg", "", "");
	assert_pointers("prctl", "int option, unsigned long arg2, unsigned long arg5",
			"__arg2_val __arg5_val", "__arg2_val");
	assert_pointers("shmctl", "int shmid, int cmd, struct shmid_ds * buf",
			"__buf_val[shmid64_ds]", "__buf_val[shmid64_ds]");
}

/* Fields with paths enabled. */
static void assert_paths(const char *arguments, const char *expected)
{
	struct kt_event *e = make_event(arguments);

	e->paths = true;
	assert_added(e, expected);
	e->paths = false;
	assert_int_equal(kt_pointed_data_of(e, 1, NULL).kind, KT_POINTED_NONE);
	kt_event_free(e);
}

static void descriptors(void **state)
{
	(void)state;
	assert_paths("unsigned int fd, size_t count", "__fd_val");
	assert_paths("int dfd, const char * filename, umode_t mode", "__dfd_val __filename_val");
	assert_paths("int in_fd, int out_fd, size_t count", "__in_fd_val __out_fd_val");
	assert_paths("unsigned long fd, int fdin, int fd_out, mqd_t mqdes",
		     "__fd_val __fdin_val __fd_out_val __mqdes_val");
	assert_paths("unsigned int fildes, int * ufd", "__fildes_val");
	assert_paths("int epfd, unsigned int max_fd, int fdesc, unsigned int nfds", "__epfd_val");
}

/* Returns the event as one of that call. */
static struct kt_event *set_call(struct kt_event *e, const char *name)
{
	e->name = name;
	return e;
}

/* Calls that return descriptors are known by name. */
static void returned(void **state)
{
	struct kt_event *e = make_event("int fd"), *exit = make_event("long ret");

	(void)state;
	assert_false(kt_fd_argument_is_returned(set_call(e, "sys_enter_read")));
	assert_true(kt_fd_argument_is(e, 1));
	assert_false(kt_fd_argument_is(set_call(e, "sys_enter_pidfd_getfd"), 1));
	assert_true(kt_fd_argument_is_returned(set_call(e, "sys_enter_openat")));
	exit->call = e;
	assert_added(exit, "");
	exit->paths = true;
	assert_added(exit, "__ret_val");
	e->name = "sys_enter_read";
	assert_added(exit, "");
	kt_event_free(exit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(data_given),  cmocka_unit_test(addresses),
		cmocka_unit_test(lists),       cmocka_unit_test(not_const),
		cmocka_unit_test(bytes),       cmocka_unit_test(data_returned),
		cmocka_unit_test(names),       cmocka_unit_test(no_text),
		cmocka_unit_test(both),        cmocka_unit_test(numbers),
		cmocka_unit_test(sets),        cmocka_unit_test(structs),
		cmocka_unit_test(no_structs),  cmocka_unit_test(many_structs),
		cmocka_unit_test(vectors),     cmocka_unit_test(messages),
		cmocka_unit_test(counted),     cmocka_unit_test(sized),
		cmocka_unit_test(descriptors), cmocka_unit_test(returned),
		cmocka_unit_test(pointers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
