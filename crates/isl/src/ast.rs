//! AST generation with callbacks, and identifiers.

use std::ffi::c_void;
use std::ptr;

use isl_sys as sys;

use crate::callback::Callback;
use crate::convert::c_string;
use crate::{AstBuild, AstNode, Ctx, Id, Result, Schedule, UnionMap};

impl Id {
    /// An identifier with a name. Identifiers of one context and name are the same.
    ///
    /// # Errors
    ///
    /// If the name contains a NUL character.
    pub fn alloc(ctx: &Ctx, name: &str) -> Result<Id> {
        let name = c_string(name)?;
        ctx.begin();
        // SAFETY: isl copies the name, and the user pointer is null.
        unsafe {
            Id::from_ptr(
                ctx,
                sys::isl_id_alloc(ctx.as_ptr(), name.as_ptr(), ptr::null_mut()),
            )
        }
    }
}

/// Changes a node of the AST that was just made.
type NodeFn<'a> = dyn FnMut(AstNode, &AstBuild) -> Result<AstNode> + 'a;
type ForFn<'a> = dyn FnMut(&AstBuild) -> Result<Id> + 'a;
type MarkFn<'a> = dyn FnMut(&Id, &AstBuild) -> Result<()> + 'a;
type LeafFn<'a> = dyn FnMut(AstBuild) -> Result<AstNode> + 'a;

/// The closures for [`AstBuild::node_from_schedule_with`]; all are optional.
///
/// The builds the closures get see none of these closures themselves: an AST that
/// a closure generates from one is generated without them.
#[derive(Default)]
pub struct AstBuildCallbacks<'a> {
    /// Called for each statement instance's node: `isl_ast_build_set_at_each_domain`.
    pub at_each_domain: Option<&'a mut NodeFn<'a>>,
    /// Called before each loop is made; the identifier annotates the loop's node:
    /// `isl_ast_build_set_before_each_for`.
    pub before_each_for: Option<&'a mut ForFn<'a>>,
    /// Called for each loop made: `isl_ast_build_set_after_each_for`.
    pub after_each_for: Option<&'a mut NodeFn<'a>>,
    /// Called before the subtree under a mark: `isl_ast_build_set_before_each_mark`.
    pub before_each_mark: Option<&'a mut MarkFn<'a>>,
    /// Called for each mark's node made: `isl_ast_build_set_after_each_mark`.
    pub after_each_mark: Option<&'a mut NodeFn<'a>>,
    /// Called at each leaf, instead of making calls to the statements:
    /// `isl_ast_build_set_create_leaf`.
    pub create_leaf: Option<&'a mut LeafFn<'a>>,
}

impl AstBuild {
    /// Calls `isl_ast_build_node_from_schedule` with `callbacks` in place.
    ///
    /// # Errors
    ///
    /// isl's, or the first that a closure returns.
    pub fn node_from_schedule_with(
        &self,
        schedule: &Schedule,
        callbacks: &mut AstBuildCallbacks<'_>,
    ) -> Result<AstNode> {
        self.ctx().check_same(schedule.ctx())?;
        self.generate(callbacks, |build| {
            // SAFETY: the build lives, and isl gets a schedule of its own.
            unsafe { sys::isl_ast_build_node_from_schedule(build, schedule.copy_ptr()) }
        })
    }

    /// Calls `isl_ast_build_node_from_schedule_map` with `callbacks` in place.
    ///
    /// # Errors
    ///
    /// isl's, or the first that a closure returns.
    pub fn node_from_schedule_map_with(
        &self,
        schedule: &UnionMap,
        callbacks: &mut AstBuildCallbacks<'_>,
    ) -> Result<AstNode> {
        self.ctx().check_same(schedule.ctx())?;
        self.generate(callbacks, |build| {
            // SAFETY: the build lives, and isl gets a map of its own.
            unsafe { sys::isl_ast_build_node_from_schedule_map(build, schedule.copy_ptr()) }
        })
    }

    /// [`AstBuild::node_from_schedule_with`] with [`AstBuildCallbacks::at_each_domain`].
    ///
    /// # Errors
    ///
    /// isl's, or the first that the closure returns.
    pub fn node_from_schedule_at_each_domain(
        &self,
        schedule: &Schedule,
        f: &mut dyn FnMut(AstNode, &AstBuild) -> Result<AstNode>,
    ) -> Result<AstNode> {
        self.node_from_schedule_with(
            schedule,
            &mut AstBuildCallbacks {
                at_each_domain: Some(f),
                ..AstBuildCallbacks::default()
            },
        )
    }

    /// Puts the callbacks in a copy of the build, generates, and drops the copy.
    fn generate(
        &self,
        callbacks: &mut AstBuildCallbacks<'_>,
        generate: impl FnOnce(*mut sys::isl_ast_build) -> *mut sys::isl_ast_node,
    ) -> Result<AstNode> {
        let ctx = self.ctx();
        ctx.begin();
        let mut at_each_domain = callback(ctx, &mut callbacks.at_each_domain);
        let mut before_each_for = callback(ctx, &mut callbacks.before_each_for);
        let mut after_each_for = callback(ctx, &mut callbacks.after_each_for);
        let mut before_each_mark = callback(ctx, &mut callbacks.before_each_mark);
        let mut after_each_mark = callback(ctx, &mut callbacks.after_each_mark);
        let mut create_leaf = callback(ctx, &mut callbacks.create_leaf);
        // SAFETY: the states outlive the build that holds them: it is freed here, and the
        // builds that closures see have no callbacks (`without_callbacks`).
        let node = unsafe {
            let mut build = self.copy_ptr();
            if let Some(state) = &mut at_each_domain {
                build = sys::isl_ast_build_set_at_each_domain(build, Some(on_node), state.user());
            }
            if let Some(state) = &mut before_each_for {
                build = sys::isl_ast_build_set_before_each_for(build, Some(on_for), state.user());
            }
            if let Some(state) = &mut after_each_for {
                build = sys::isl_ast_build_set_after_each_for(build, Some(on_node), state.user());
            }
            if let Some(state) = &mut before_each_mark {
                build = sys::isl_ast_build_set_before_each_mark(build, Some(on_mark), state.user());
            }
            if let Some(state) = &mut after_each_mark {
                build = sys::isl_ast_build_set_after_each_mark(build, Some(on_node), state.user());
            }
            if let Some(state) = &mut create_leaf {
                build = sys::isl_ast_build_set_create_leaf(build, Some(on_leaf), state.user());
            }
            let node = generate(build);
            sys::isl_ast_build_free(build);
            AstNode::from_ptr(ctx, node)
        };
        // Whichever closure failed, isl stopped: at most one has something to say.
        at_each_domain.map_or(Ok(()), Callback::finish)?;
        before_each_for.map_or(Ok(()), Callback::finish)?;
        after_each_for.map_or(Ok(()), Callback::finish)?;
        before_each_mark.map_or(Ok(()), Callback::finish)?;
        after_each_mark.map_or(Ok(()), Callback::finish)?;
        create_leaf.map_or(Ok(()), Callback::finish)?;
        node
    }
}

fn callback<'a, F: ?Sized>(ctx: &Ctx, f: &'a mut Option<&mut F>) -> Option<Callback<'a, F>> {
    f.as_deref_mut().map(|f| Callback::new(ctx, f))
}

/// What a closure gets for a build of isl's: the same without callbacks, because a
/// closure may keep a clone, or generate an AST with it while the closures are borrowed.
///
/// # Safety
///
/// `build` is null or a reference of the caller's to a build of `ctx`.
unsafe fn without_callbacks(ctx: &Ctx, mut build: *mut sys::isl_ast_build) -> Result<AstBuild> {
    // SAFETY: each call takes the build and gives it back, or null.
    unsafe {
        build = sys::isl_ast_build_set_at_each_domain(build, None, ptr::null_mut());
        build = sys::isl_ast_build_set_before_each_for(build, None, ptr::null_mut());
        build = sys::isl_ast_build_set_after_each_for(build, None, ptr::null_mut());
        build = sys::isl_ast_build_set_before_each_mark(build, None, ptr::null_mut());
        build = sys::isl_ast_build_set_after_each_mark(build, None, ptr::null_mut());
        build = sys::isl_ast_build_set_create_leaf(build, None, ptr::null_mut());
        AstBuild::from_ptr(ctx, build)
    }
}

// SAFETY of the four: isl calls them with what its manual says, and with the user pointer
// that `generate` passed, whose state has the type named here.

unsafe extern "C" fn on_node(
    node: *mut sys::isl_ast_node,
    build: *mut sys::isl_ast_build,
    user: *mut c_void,
) -> *mut sys::isl_ast_node {
    let state = unsafe { &mut *user.cast::<Callback<'_, NodeFn<'_>>>() };
    let ctx = state.ctx();
    let node = unsafe { AstNode::from_ptr(&ctx, node) };
    let build = unsafe { without_callbacks(&ctx, sys::isl_ast_build_copy(build)) };
    state
        .run(|f| f(node?, &build?))
        .map_or(ptr::null_mut(), AstNode::into_ptr)
}

unsafe extern "C" fn on_for(build: *mut sys::isl_ast_build, user: *mut c_void) -> *mut sys::isl_id {
    let state = unsafe { &mut *user.cast::<Callback<'_, ForFn<'_>>>() };
    let ctx = state.ctx();
    let build = unsafe { without_callbacks(&ctx, sys::isl_ast_build_copy(build)) };
    state
        .run(|f| f(&build?))
        .map_or(ptr::null_mut(), Id::into_ptr)
}

unsafe extern "C" fn on_mark(
    mark: *mut sys::isl_id,
    build: *mut sys::isl_ast_build,
    user: *mut c_void,
) -> sys::isl_stat {
    let state = unsafe { &mut *user.cast::<Callback<'_, MarkFn<'_>>>() };
    let ctx = state.ctx();
    let mark = unsafe { Id::from_kept_ptr(&ctx, mark) };
    let build = unsafe { without_callbacks(&ctx, sys::isl_ast_build_copy(build)) };
    match state.run(|f| f(&mark?, &build?)) {
        Some(()) => sys::isl_stat_ok,
        None => sys::isl_stat_error,
    }
}

unsafe extern "C" fn on_leaf(
    build: *mut sys::isl_ast_build,
    user: *mut c_void,
) -> *mut sys::isl_ast_node {
    let state = unsafe { &mut *user.cast::<Callback<'_, LeafFn<'_>>>() };
    let ctx = state.ctx();
    let build = unsafe { without_callbacks(&ctx, build) };
    state
        .run(|f| f(build?))
        .map_or(ptr::null_mut(), AstNode::into_ptr)
}
